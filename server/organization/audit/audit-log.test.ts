import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor } from '../../../tests/harness/people.ts';
import { memberAccessRoutes } from '../../identity/member-access/routes.ts';
import { changeMemberRole } from '../change-member.ts';
import { setOrganizationLimits } from '../organization-command.ts';
import { organizationRoutes } from '../routes.ts';
import { auditRoutes } from './routes.ts';
import { verifyChain } from './verify-chain.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, [...organizationRoutes, ...memberAccessRoutes, ...auditRoutes]);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

/** Creates an organization whose owner and admin have changed the role of a third member, by token. */
async function createHistory(name = 'Example') {
  const owner = await createTenant(database, name);
  const deputy = await createTestMember(database, owner.orgId, 'admin');
  const member = await createTestMember(database, owner.orgId, 'viewer');
  for (const [token, role] of [
    [owner.token, 'analyst'],
    [deputy.token, 'viewer'],
    [owner.token, 'admin'],
  ] as const) {
    const { status } = await call(node, token, 'PATCH', `/organization/members/${member.userId}`, { role });
    assert.equal(status, 200);
  }
  await setOrganizationLimits(database, owner.orgId, { plan: 'enterprise', rate: 10, burst: 20_000 });
  return { owner, deputy, member };
}

const list = async (token: string, query = '') => {
  const { status, body } = await call(node, token, 'GET', `/audit-events${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
};

test('an event records who did what to what, from where, and the changed fields', async () => {
  const { owner, member } = await createHistory();
  const [limits, promotion] = await list(owner.token);
  assert.equal(limits.actor.type, 'system');
  assert.deepEqual([limits.before.plan, limits.after.plan], ['default', 'enterprise']);
  assert.equal(promotion.actor.type, 'token');
  assert.equal(promotion.actor.user.id, owner.userId);
  assert.equal(promotion.actor.token.name, 'Test');
  assert.equal(promotion.actor.address, '127.0.0.1');
  assert.equal(promotion.action, 'member.role_changed');
  assert.equal(promotion.target.id, member.userId);
  assert.deepEqual([promotion.before, promotion.after], [{ role: 'viewer' }, { role: 'admin' }]);
});

test('each filter selects its events, filters are combined with AND, and values of one with OR', async () => {
  const { owner, deputy, member } = await createHistory();
  const all = await list(owner.token);
  const expect = async (query: string, matches: (event: (typeof all)[number]) => boolean) =>
    assert.deepEqual(await list(owner.token, query), all.filter(matches), query);
  const tokenId = all.find(({ actor }: (typeof all)[number]) => actor.token !== null).actor.token.id;
  await expect(`?actor=${deputy.userId}`, ({ actor }) => actor.user?.id === deputy.userId);
  await expect('?actor=me', ({ actor }) => actor.user?.id === owner.userId);
  await expect(`?actor=${tokenId}`, ({ actor }) => actor.token?.id === tokenId);
  await expect('?actor=system', ({ actor }) => actor.type === 'system');
  await expect(`?target=${member.userId}`, ({ target }) => target.id === member.userId);
  await expect('?action=token.created,member.role_changed', ({ action }) => /token.created|role/.test(action));
  await expect(`?actor=me&action=member.role_changed&target=${member.userId}`, ({ actor, action }) =>
    [owner.userId, 'member.role_changed'].every((value, index) => [actor.user?.id, action][index] === value),
  );
  const moment = all.at(-1).occurred_at;
  await expect(`?from=${moment}`, () => true);
  await expect(`?to=${moment}`, ({ occurred_at }) => occurred_at <= moment);
  await expect('?to=2020-01-01T00:00:00Z', () => false);
  await expect('?actor=usr_unknown', () => false);
});

test('events are found by the names of their actor and target, ignoring case, and only within the organization', async () => {
  const { owner, deputy, member } = await createHistory();
  const other = await createHistory();
  const rename = (id: string, name: string, email: string) =>
    admin.query('UPDATE users SET name = $2, email = $3 WHERE id = $1', [id, name, email]);
  await rename(deputy.userId, 'Grace Hopper', 'grace@navy.example');
  await rename(other.deputy.userId, 'Grace Other', 'other@navy.example');
  await rename(member.userId, 'Zoë Müller-Lüdenscheidt', 'zoe@example.test');
  // The name at that time is recorded with the event.
  for (const role of ['analyst', 'viewer'] as const)
    await call(node, owner.token, 'PATCH', `/organization/members/${member.userId}`, { role });
  const actors = async (query: string) =>
    (await list(owner.token, query)).map(({ actor }: { actor: { user: { id: string } | null } }) => actor.user?.id);
  for (const text of ['grace', 'HOPPER', 'Grace Hopper', 'navy.example'])
    assert.deepEqual(await actors(`?actor=${encodeURIComponent(text)}`), [deputy.userId], text);
  // A token's name matches, too.
  assert.equal((await list(owner.token, '?actor=test&action=member.role_changed')).length, 5);
  assert.deepEqual(await list(owner.token, '?actor=nobody'), []);
  // A person who has left keeps their name in the log.
  await admin.query('DELETE FROM members WHERE user_id = $1', [deputy.userId]);
  assert.deepEqual(await actors('?actor=grace'), [deputy.userId]);
  const targets = async (text: string) => (await list(owner.token, `?target=${encodeURIComponent(text)}`)).length;
  for (const text of ['zoë', 'MÜLLER', 'Zoë Lüd', member.userId])
    assert.equal(await targets(text), text === member.userId ? 5 : 2, text);
  for (const text of ['ller', 'Zoë Hopper', other.member.userId, "o'hara", '!', ':*'])
    assert.equal(await targets(text), 0, text);
  assert.equal((await list(owner.token, '?target=zo%C3%AB&actor=grace')).length, 0);
});

test('paging returns each event once while others are added, whatever the filter', async () => {
  const { owner, deputy, member } = await createHistory();
  for (const filter of ['', '&action=member.role_changed,token.created,organization.created', '&actor=me']) {
    const expected = (await list(owner.token, `?limit=200${filter}`)).map(({ id }: { id: string }) => id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await call(node, owner.token, 'GET', `/audit-events?limit=1${filter}${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor === null ? '' : `&next_cursor=${body.next_cursor}`;
      await database.transaction(owner.orgId, (tx) =>
        changeMemberRole(
          tx,
          owner.orgId,
          { userId: owner.userId, tokenId: null, address: null, role: 'owner' },
          member.userId,
          seen.length % 2 === 0 ? 'viewer' : 'analyst',
        ),
      );
    } while (cursor !== '');
    assert.deepEqual(seen, expected, filter);
  }
  const { body } = await call(node, owner.token, 'GET', '/audit-events?limit=1');
  const other = await call(node, deputy.token, 'GET', `/audit-events?actor=me&next_cursor=${body.next_cursor}`);
  assert.equal(other.body.error.code, 'invalid_cursor');
});

test('only administrators with the scope read it, and nobody reads that of another organization', async () => {
  const { owner, deputy, member } = await createHistory();
  const other = await createHistory('Other');
  assert.ok((await list(deputy.token)).length > 0);
  const analyst = await createTestMember(database, owner.orgId, 'analyst');
  assert.equal((await call(node, analyst.token, 'GET', '/audit-events')).body.error.code, 'forbidden');
  const narrow = await createTokenFor(database, owner.orgId, owner.userId, { scopes: ['findings:read'] });
  assert.equal((await call(node, narrow, 'GET', '/audit-events')).body.error.code, 'insufficient_scope');
  const theirs = [other.owner.orgId, other.owner.userId, other.member.userId];
  for (const query of ['', ...theirs.flatMap((id) => [`?actor=${id}`, `?target=${id}`])]) {
    const text = JSON.stringify(await list(owner.token, query));
    assert.ok(!theirs.some((id) => text.includes(id)), query);
  }
  assert.ok((await list(owner.token, `?target=${member.userId}`)).length > 0);
});

test('the CSV export is one file with every matching event, safe for spreadsheets', async () => {
  const { owner, member } = await createHistory('=cmd()');
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${owner.token}`;
    return node.app.inject({ url: `/api/v1${url}`, headers: { authorization, ...headers } });
  };
  await database.transaction(owner.orgId, async (tx) => {
    await tx.query({
      text: `INSERT INTO audit_events (org_id, id, action, subject_id) SELECT $1, 'aud_' || n, 'report.created', 'rpt_1' FROM generate_series(1, 1200) n`,
      values: [owner.orgId],
    });
  });
  const csv = await get('/audit-events?format=csv');
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(String(csv.headers['content-disposition']), /attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"/);
  const lines = csv.body.trimEnd().split('\r\n');
  const { rows } = await admin.query('SELECT count(*)::int AS n FROM audit_events WHERE org_id = $1', [owner.orgId]);
  assert.equal(lines.length, rows[0].n + 1);
  assert.match(lines[0]!, /^sequence,id,occurred_at,actor_type,/);
  assert.match(lines.at(-1)!, /,'=cmd\(\),/);
  const chosen = await get(`/audit-events?target=${member.userId}`, { accept: 'text/csv' });
  assert.equal(chosen.body.trimEnd().split('\r\n').length, 4);
  for (const accept of ['*/*', 'application/json, text/csv', 'text/csv;q=0.5, application/json']) {
    assert.match(String((await get('/audit-events', { accept })).headers['content-type']), /json/, accept);
  }
  assert.match(
    String((await get('/audit-events?format=json', { accept: 'text/csv' })).headers['content-type']),
    /json/,
  );
});

/** Changes the log as an intruder with the permissions of the tables' owner could. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  await admin.query('ROLLBACK; BEGIN');
  await admin.query('ALTER TABLE audit_events DISABLE TRIGGER USER');
  await admin.query(text, values);
  await admin.query('ALTER TABLE audit_events ENABLE TRIGGER USER');
  await admin.query('COMMIT');
}

test('verification accepts a complete log, and finds and locates changed, removed, added and truncated events', async () => {
  const { owner } = await createHistory();
  const { orgId } = owner;
  const whole = await verifyChain(database, orgId);
  assert.deepEqual([whole.broken, whole.events > 5], [null, true]);
  const last = whole.events;

  const attacks: Array<[what: string, at: number, text: string]> = [
    ['changed', 3, `UPDATE audit_events SET after = '{"role": "owner"}' WHERE org_id = $1 AND sequence = 3`],
    [
      'attributed to nobody',
      2,
      'UPDATE audit_events SET user_id = NULL, token_id = $1 WHERE org_id = $1 AND sequence = 2',
    ],
    [
      'moved in time',
      4,
      `UPDATE audit_events SET occurred_at = occurred_at - interval '1 microsecond' WHERE org_id = $1 AND sequence = 4`,
    ],
    ['removed', 2, 'DELETE FROM audit_events WHERE org_id = $1 AND sequence = 2'],
    ['cut off', last, `DELETE FROM audit_events WHERE org_id = $1 AND sequence = ${last}`],
    ['added', last + 1, `INSERT INTO audit_events (org_id, id, action) VALUES ($1, 'aud_x', 'report.deleted')`],
    ['without a chain', 1, 'DELETE FROM audit_chains WHERE org_id = $1'],
  ];
  const kept = await admin.query('SELECT *, occurred_at::text AS moment FROM audit_events WHERE org_id = $1', [orgId]);
  const head = (await admin.query('SELECT * FROM audit_chains WHERE org_id = $1', [orgId])).rows[0];
  for (const [what, at, text] of attacks) {
    await tamper(text, [orgId]);
    const { broken } = await verifyChain(database, orgId);
    assert.equal(broken?.sequence, at, `${what}: ${JSON.stringify(broken)}`);
    await tamper('DELETE FROM audit_events WHERE org_id = $1', [orgId]);
    await tamper(`INSERT INTO audit_events SELECT * FROM jsonb_populate_recordset(NULL::audit_events, $1::jsonb)`, [
      JSON.stringify(
        kept.rows.map((row) => ({ ...row, hash: `\\x${row.hash.toString('hex')}`, occurred_at: row.moment })),
      ),
    ]);
    await admin.query('INSERT INTO audit_chains VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      orgId,
      head.sequence,
      head.hash,
    ]);
  }
});

test('a log that was entirely rewritten no longer contains the recorded head', async () => {
  const { owner } = await createHistory();
  const { events, hash } = await verifyChain(database, owner.orgId);
  const known = { sequence: events, hash: hash! };
  await setOrganizationLimits(database, owner.orgId, { plan: 'default', rate: null, burst: null });
  assert.equal((await verifyChain(database, owner.orgId, [known])).broken, null);
  await tamper(
    `WITH RECURSIVE rewritten AS (
       SELECT (e).id, (e).sequence, audit_event_hash('', e) AS hash FROM (
         SELECT e FROM audit_events e WHERE org_id = $1 AND sequence = 1) first
       UNION ALL
       SELECT (n.e).id, (n.e).sequence, audit_event_hash(r.hash, n.e) FROM rewritten r, LATERAL (
         SELECT jsonb_populate_record(e, jsonb_build_object('address', '192.0.2.1')) AS e
         FROM audit_events e WHERE org_id = $1 AND sequence = r.sequence + 1) n),
     events AS (UPDATE audit_events e SET hash = r.hash, address = CASE WHEN e.sequence > 1 THEN '192.0.2.1' END
                FROM rewritten r WHERE e.org_id = $1 AND e.id = r.id)
     UPDATE audit_chains c SET hash = r.hash FROM rewritten r WHERE c.org_id = $1 AND r.sequence = c.sequence`,
    [owner.orgId],
  );
  assert.equal((await verifyChain(database, owner.orgId)).broken, null);
  const { broken } = await verifyChain(database, owner.orgId, [known]);
  assert.equal(broken?.sequence, events);
});
