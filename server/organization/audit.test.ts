import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { operator, recordAudit } from './audit.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await db.drop();
});

const eventsOf = async (orgId: string) =>
  (await admin.query('SELECT * FROM audit_events WHERE org_id = $1 ORDER BY sequence', [orgId])).rows;
const target = { id: 'sch_1', name: 'Nightly' };
const record = (orgId: string, details: Record<string, unknown>) =>
  database.transaction(orgId, (tx) =>
    recordAudit(tx, orgId, { actor: operator, action: 'scan_schedule.updated', target, details }),
  );

test('simultaneous events of an organization get consecutive positions, and each contains the hash of the previous one', async () => {
  const { orgId } = await createTenant(database);
  const other = await createTenant(database);
  await Promise.all(Array.from({ length: 20 }, (_, index) => record(index % 5 === 0 ? other.orgId : orgId, { index })));
  const events = await eventsOf(orgId);
  assert.deepEqual(
    events.map(({ sequence }) => Number(sequence)),
    events.map((_, index) => index + 1),
  );
  const { rows } = await admin.query(
    `SELECT e.id FROM audit_events e LEFT JOIN audit_events p ON p.org_id = e.org_id AND p.sequence = e.sequence - 1
     WHERE e.hash IS DISTINCT FROM audit_event_hash(coalesce(p.hash, ''), e)`,
  );
  assert.deepEqual(rows, []);
});

test('an event that is not committed yet blocks no other transaction', async () => {
  const { orgId } = await createTenant(database);
  await database.transaction(orgId, async (tx) => {
    await recordAudit(tx, orgId, { actor: operator, action: 'scan_schedule.updated', target, details: { slow: true } });
    await record(orgId, { quick: true });
  });
  assert.deepEqual(
    (await eventsOf(orgId)).slice(-2).map(({ details }) => details),
    [{ quick: true }, { slow: true }],
  );
});

test('an event of a change that is rolled back is not recorded', async () => {
  const { orgId } = await createTenant(database);
  const before = await eventsOf(orgId);
  const failing = database.transaction(orgId, async (tx) => {
    await recordAudit(tx, orgId, { actor: operator, action: 'scan_schedule.updated', target, details: {} });
    throw new Error('undone');
  });
  await assert.rejects(failing, /undone/);
  assert.deepEqual(await eventsOf(orgId), before);
});

test('nobody changes or deletes an event, not even the owner of the tables', async () => {
  const { orgId } = await createTenant(database);
  for (const text of ['UPDATE audit_events SET details = NULL', 'DELETE FROM audit_events', 'TRUNCATE audit_events']) {
    await assert.rejects(database.single(orgId, { text }), /permission denied/);
  }
  for (const text of ['UPDATE audit_chains SET sequence = 0', 'DELETE FROM audit_chains']) {
    await assert.rejects(database.single(orgId, { text }), /permission denied/);
  }
  for (const column of ['sequence', 'hash', 'occurred_at']) {
    const text = `INSERT INTO audit_events (org_id, id, action, ${column}) VALUES ('${orgId}', 'aud_1', 'x.y', NULL)`;
    await assert.rejects(database.single(orgId, { text }), /permission denied/);
  }
  for (const text of ['UPDATE audit_events SET action = action', 'DELETE FROM audit_events']) {
    await assert.rejects(admin.query(text), /append-only/);
  }
});

test('only the fields that differ are stored, and a change without effect is not an event', async () => {
  const { orgId } = await createTenant(database);
  const change = (before: Record<string, unknown>, after: Record<string, unknown>) =>
    database.transaction(orgId, (tx) =>
      recordAudit(tx, orgId, { actor: operator, action: 'scan_schedule.updated', target, before, after }),
    );
  const count = (await eventsOf(orgId)).length;
  await change({ name: 'a', cron: '@daily', on: ['x'] }, { name: 'b', cron: '@daily', on: ['x'] });
  await change({ name: 'b' }, { name: 'b' });
  const events = await eventsOf(orgId);
  assert.equal(events.length, count + 1);
  assert.deepEqual([events.at(-1).before, events.at(-1).after], [{ name: 'a' }, { name: 'b' }]);
});

test('secrets are redacted wherever they are, and long or hostile texts do no harm', async () => {
  const { orgId } = await createTenant(database);
  const token = `asy_${'x'.repeat(40)}`;
  await record(orgId, {
    password: 'hunter2',
    nested: [{ client_secret: 'hunter2', note: `use ${token}` }],
    url: 'https://user:hunter2@example.com/x',
    credential_changed: true,
    long: 'é'.repeat(100_000),
    nul: 'a\0b\ud800',
  });
  const { details } = (await eventsOf(orgId)).at(-1);
  const text = JSON.stringify(details);
  assert.doesNotMatch(text, /hunter2|asy_x/);
  assert.equal(details.url, 'https://[redacted]@example.com/x');
  assert.equal(details.credential_changed, true);
  assert.ok(text.length < 5_000);
});
