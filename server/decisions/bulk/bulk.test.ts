import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant, createTestMember, type Person } from '../../../tests/harness/people.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { ApiError } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { bulkJobs, bulkTicks } from './jobs.ts';
import { beginUndo, recordFailure } from './queries.ts';

const app: Application = await startApplication();
const { database } = app;
after(() => app.close());

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** Creates an organization with findings of all severities in one data source. */
async function createFindings(count: number) {
  const owner = await createTenant(database);
  const dataSourceId = newId('ds');
  await database.transaction(owner.orgId, (tx) =>
    tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'results', '{}')`,
      values: [owner.orgId, dataSourceId],
    }),
  );
  const detections = Array.from({ length: count }, (_, n) => detectionOf(`f${n}`, { severity: severities[n % 5]! }));
  await recordScan(database, owner.orgId, dataSourceId, detections);
  const call = async (method: string, path: string, json?: object, headers = {}) =>
    app.call(owner.token, method, path, json ? { json, headers } : { headers });
  const bulk = (json: object, headers = {}) => call('PATCH', '/findings', json, headers);
  const findings = async (query = '') => succeeded(await call('GET', `/findings?limit=200${query}`)).data;
  return { ...owner, dataSourceId, call, bulk, findings };
}

const all = { source: ['secrets'] };

async function countByStatus(orgId: string): Promise<Record<string, number>> {
  const rows = await database.single<{ status: string; count: number }>(orgId, {
    text: 'SELECT status, count(*)::integer AS count FROM findings WHERE org_id = $1 GROUP BY 1',
    values: [orgId],
  });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Requires the stored counts to equal a count of the rows. */
async function assertFigures(orgId: string): Promise<void> {
  const kept = await database.single<{ status: string; count: number }>(orgId, {
    text: 'SELECT status, sum(count)::integer AS count FROM finding_counts WHERE org_id = $1 GROUP BY 1 HAVING sum(count) > 0',
    values: [orgId],
  });
  assert.deepEqual(Object.fromEntries(kept.map(({ status, count }) => [status, count])), await countByStatus(orgId));
}

const [job] = bulkJobs;
const payloadOf = ({ orgId }: Person, id: string) => ({ org_id: orgId, operation_id: id });
/** Runs the job of an operation and the jobs that continue it. */
async function work(owner: Person, id: string, on = database): Promise<void> {
  const isUnfinished = {
    text: `SELECT FROM bulk_operations WHERE org_id = $1 AND id = $2 AND status IN ('queued', 'running', 'undoing')`,
    values: [owner.orgId, id],
  };
  do await job!.run(payloadOf(owner, id), { database: on });
  while ((await database.single(owner.orgId, isUnfinished)).length > 0);
}

test('an update repeated with its Idempotency-Key gets the first response and can still be undone', async () => {
  const { bulk, call, orgId } = await createFindings(10);
  const headers = { 'idempotency-key': 'a bulk update'.replaceAll(' ', '-') };
  const first = await bulk({ filter: all, status: 'triaged', comment: 'Ours.' }, headers);
  assert.equal(succeeded(first).updated, 10);
  const again = await bulk({ filter: all, status: 'triaged', comment: 'Ours.' }, headers);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.deepEqual(again.body, first.body);
  const other = await bulk({ filter: all, status: 'in_progress' }, headers);
  assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_conflict']);
  const comments = await database.single(orgId, {
    text: 'SELECT FROM finding_comments WHERE org_id = $1',
    values: [orgId],
  });
  assert.equal(comments.length, 10);
  assert.equal((await call('POST', `/bulk-operations/${first.body.operation.id}/undo`)).status, 200);
  assert.deepEqual(await countByStatus(orgId), { new: 10 });
});

test('a dry run reports the outcome and writes nothing', async () => {
  const { bulk, findings, orgId } = await createFindings(25);
  const [first] = await findings();
  await bulk({ ids: [first.id], status: 'triaged' });
  const before = await findings();
  const { body, status } = await bulk({ filter: all, status: 'triaged', dry_run: true });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.updated, body.operation, body.matched, body.unchanged, body.samples.length],
    [0, null, 25, 1, 10],
  );
  assert.deepEqual(body.by_severity, { critical: 5, high: 5, medium: 5, low: 5, info: 5 });
  assert.deepEqual([body.by_status.new, body.by_status.triaged], [24, 1]);
  assert.deepEqual(
    body.samples.map(({ severity }: { severity: string }) => severity),
    [...Array(5).fill('critical'), ...Array(5).fill('high')],
  );
  assert.deepEqual(await findings(), before);
  const operations = await database.single(orgId, {
    text: 'SELECT id FROM bulk_operations WHERE org_id = $1',
    values: [orgId],
  });
  assert.equal(operations.length, 1);
});

test('a dry run counts exactly the findings that the update leaves unchanged', async () => {
  const { bulk, findings, userId, email } = await createFindings(20);
  const ids = (await findings()).map(({ id }: { id: string }) => id);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await bulk({ ids: ids.slice(0, 5), status: 'accepted_risk', accepted_until: until, tags: ['PCI', 'q3'] });
  await bulk({ ids: ids.slice(3, 8), assignee: email, add_tags: ['pci'] });
  for (const decision of [
    { status: 'accepted_risk', accepted_until: until },
    { status: 'accepted_risk', accepted_until: null },
    { accepted_until: null },
    { add_tags: ['pci'] },
    { remove_tags: ['Q3', 'none'] },
    { tags: ['PCI', 'q3'] },
    { assignee: userId, add_tags: ['Größe'] },
    { assignee: null },
    { comment: 'Seen.' },
    { status: 'new' },
  ]) {
    const preview = succeeded(await bulk({ filter: all, ...decision, dry_run: true }));
    const result = succeeded(await bulk({ filter: all, ...decision, expected_count: preview.matched }));
    assert.deepEqual(
      [result.unchanged, result.updated],
      [preview.unchanged, 20 - preview.unchanged],
      JSON.stringify(decision),
    );
    const again = succeeded(
      await bulk({
        filter: all,
        ...decision,
        comment: undefined,
        dry_run: true,
        ...(decision.comment ? { status: 'new' } : {}),
      }),
    );
    if (!decision.comment) assert.equal(again.unchanged, 20, JSON.stringify(decision));
  }
});

test('an update changes nothing when the number of matching findings differs from the expected one', async () => {
  const { bulk, orgId, dataSourceId } = await createFindings(3);
  const preview = succeeded(await bulk({ filter: { status: ['new'] }, status: 'triaged', dry_run: true }));
  await recordScan(database, orgId, dataSourceId, [detectionOf('another')], { close: false });
  const refused = await bulk({ filter: { status: ['new'] }, status: 'triaged', expected_count: preview.matched });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
  assert.match(refused.body.error.message, /4 findings match, not 3/);
  assert.deepEqual(await countByStatus(orgId), { new: 4 });
});

test('with as_of, findings created or changed later are left alone', async () => {
  const { bulk, orgId, dataSourceId, findings } = await createFindings(5);
  // Pretends that the rest happened two seconds later: times have a precision of one second.
  await database.transaction(orgId, (tx) =>
    tx.query({
      text: `UPDATE findings SET updated_at = updated_at - interval '2 seconds', first_seen_at = first_seen_at - interval '2 seconds' WHERE org_id = $1`,
      values: [orgId],
    }),
  );
  const asOf = new Date(Date.now() - 1_000).toISOString();
  const [changed] = await findings();
  await bulk({ ids: [changed.id], tags: ['changed'] });
  await recordScan(database, orgId, dataSourceId, [detectionOf('later')], { close: false });
  const preview = succeeded(await bulk({ filter: all, status: 'false_positive', as_of: asOf, dry_run: true }));
  assert.equal(preview.matched, 4);
  const decision = { status: 'false_positive', as_of: preview.as_of, expected_count: 4 };
  assert.equal(succeeded(await bulk({ filter: all, ...decision })).updated, 4);
  assert.deepEqual(await countByStatus(orgId), { new: 2, false_positive: 4 });
});

test('with versions, findings changed since are skipped and reported, and an undo skips them too', async () => {
  const { bulk, call, findings, orgId } = await createFindings(4);
  const seen = await findings();
  const [first, second] = seen;
  const ids = seen.map(({ id }: { id: string }) => id);
  const versions = Object.fromEntries(seen.map(({ id, version }: (typeof seen)[0]) => [id, version]));
  const changed = await call('PATCH', `/findings/${first.id}`, { status: 'in_progress' });
  assert.equal(changed.body.version, first.version + 1);
  const decision = { ids, versions, status: 'false_positive' };
  const preview = succeeded(await bulk({ ...decision, dry_run: true }));
  assert.deepEqual([preview.matched, preview.conflicts], [3, [first.id]]);
  const { updated, matched, conflicts, operation } = succeeded(await bulk(decision));
  assert.deepEqual([updated, matched, conflicts], [3, 3, [first.id]]);
  assert.deepEqual(await countByStatus(orgId), { in_progress: 1, false_positive: 3 });
  await call('PATCH', `/findings/${second.id}`, { status: 'triaged' });
  succeeded(await call('POST', `/bulk-operations/${operation.id}/undo`));
  assert.deepEqual(await countByStatus(orgId), { in_progress: 1, triaged: 1, new: 2 });
  // An id without a version matches any version; a version for an id that is not in the list is an error.
  assert.deepEqual(succeeded(await bulk({ ids, versions: {}, status: 'new' })).conflicts, []);
  const strange = await bulk({ ids: [first.id], versions: { [second.id]: 1 }, status: 'new' });
  assert.equal(strange.status, 400);
  const current = await call('GET', `/findings/${first.id}`);
  const precise = { 'if-match': `"${current.body.version}"` };
  assert.equal((await call('PATCH', `/findings/${first.id}`, { status: 'triaged' }, precise)).status, 200);
  assert.equal((await call('PATCH', `/findings/${first.id}`, { status: 'resolved' }, precise)).status, 412);
});

test('undo restores the findings that an update changed, skips those changed since, and keeps comments', async () => {
  const owner = await createFindings(12);
  const { bulk, call, findings, orgId, email } = owner;
  const ids = (await findings()).map(({ id }: { id: string }) => id);
  await bulk({ ids: ids.slice(0, 4), status: 'false_positive', tags: ['kept'], assignee: email });
  const before = new Map((await findings()).map((finding: { id: string }) => [finding.id, finding]));
  const change = {
    status: 'accepted_risk',
    accepted_until: new Date(Date.now() + 1e9).toISOString(),
    add_tags: ['risk'],
    comment: 'Accepted.',
    assignee: null,
  };
  const { operation } = succeeded(await bulk({ filter: all, ...change }));
  assert.deepEqual([operation.status, operation.updated, operation.percent], ['completed', 12, 100]);
  assert.ok(operation.undoable_until > operation.completed_at);
  await bulk({ ids: [ids[0], ids[9]], add_tags: ['changed since'] });
  const undone = await call('POST', `/bulk-operations/${operation.id}/undo`);
  assert.equal(undone.status, 200, undone.text);
  const { undo, status } = undone.body;
  assert.deepEqual([status, undo.restored, undo.passed_over], ['undone', 10, 2]);
  for (const finding of await findings()) {
    const { updated_at: _at, version: _is, comment_count, ...is } = finding;
    if (finding.id === ids[0] || finding.id === ids[9]) assert.equal(is.status, 'accepted_risk');
    else {
      const {
        updated_at: _before,
        version: _was,
        comment_count: _comments,
        ...was
      } = before.get(finding.id) as typeof finding;
      assert.deepEqual(is, was);
      assert.equal(comment_count, 1);
    }
  }
  await assertFigures(orgId);
  const history = succeeded(await call('GET', `/findings/${ids[5]}/history`)).data;
  assert.deepEqual(history.at(-1).changes[0], { field: 'status', from: 'accepted_risk', to: 'new' });
  const again = await call('POST', `/bulk-operations/${operation.id}/undo`);
  assert.deepEqual([again.status, again.body.status], [200, 'undone']);
});

test('undo does not restore an assignee who has left', async () => {
  const { bulk, call, findings, orgId } = await createFindings(2);
  const member = await createTestMember(database, orgId, 'analyst');
  await bulk({ filter: all, assignee: member.userId });
  const { operation } = succeeded(await bulk({ filter: all, assignee: null, status: 'triaged' }));
  await database.transaction(orgId, (tx) =>
    tx.query({ text: 'DELETE FROM members WHERE org_id = $1 AND user_id = $2', values: [orgId, member.userId] }),
  );
  await call('POST', `/bulk-operations/${operation.id}/undo`);
  for (const { status, assignee } of await findings()) assert.deepEqual([status, assignee], ['new', null]);
});

test('undo leaves open what the policy lets nobody close alone', async () => {
  const { bulk, call, findings } = await createFindings(5);
  succeeded(await bulk({ filter: all, status: 'false_positive', tags: ['before'] }));
  const { operation } = succeeded(await bulk({ filter: all, status: 'new', tags: [] }));
  const { sign_in: _, ...policy } = succeeded(await call('GET', '/organization/policy'));
  const decisions = { ...policy.decisions, approval_from: 'high' };
  succeeded(await call('PUT', '/organization/policy', { ...policy, decisions }));
  const { undo } = succeeded(await call('POST', `/bulk-operations/${operation.id}/undo`));
  assert.deepEqual([undo.restored, undo.passed_over], [3, 2]);
  for (const { severity, status, tags } of await findings()) {
    const isOpen = severity === 'critical' || severity === 'high';
    assert.deepEqual([status, tags], isOpen ? ['new', []] : ['false_positive', ['before']]);
  }
});

test('a job in progress changes and restores nothing more for a person who left or may not triage any longer', async () => {
  const owner = await createFindings(1_500);
  const { call, orgId } = owner;
  const analyst = await createTestMember(database, orgId, 'analyst');
  const setRole = (role: string | null) =>
    database.single(orgId, {
      text: role
        ? 'UPDATE members SET role = $3 WHERE org_id = $1 AND user_id = $2'
        : 'DELETE FROM members WHERE org_id = $1 AND user_id = $2',
      values: [orgId, analyst.userId, ...(role ? [role] : [])],
    });
  const find = async (id: string) => succeeded(await call('GET', `/bulk-operations/${id}`));
  const json = { filter: all, status: 'triaged' };
  const { operation } = (await app.call(analyst.token, 'PATCH', '/findings', { json })).body;
  await assert.rejects(work(owner, operation.id, lostAfter(1)), /Gone/);
  await setRole('viewer');
  await work(owner, operation.id);
  const stopped = await find(operation.id);
  assert.deepEqual([stopped.status, stopped.updated], ['failed', 1_000]);
  assert.match(stopped.error, /left the organization or may no longer/);
  assert.deepEqual(await countByStatus(orgId), { triaged: 1_000, new: 500 });
  // The undo of a person who leaves stops too; another person continues it.
  await database.transaction(orgId, (tx) => beginUndo(tx, orgId, operation.id, analyst.userId));
  await setRole(null);
  await work(owner, operation.id);
  assert.deepEqual(
    [(await find(operation.id)).status, await countByStatus(orgId)],
    ['failed', { triaged: 1_000, new: 500 }],
  );
  succeeded(await call('POST', `/bulk-operations/${operation.id}/undo`));
  await work(owner, operation.id);
  assert.deepEqual(await countByStatus(orgId), { new: 1_500 });
});

/** Returns a database that is lost after a number of transactions. */
const lostAfter = (transactions: number): Database => {
  let left = transactions;
  return {
    ...database,
    transaction: <T>(orgId: string | null, run: (tx: Db) => Promise<T>) =>
      database.transaction(orgId, async (tx) => {
        const result = await run(tx);
        if (left-- <= 0)
          throw new ApiError('unavailable', 'Gone.', {
            cause: Object.assign(new Error('gone'), { code: 'ECONNRESET' }),
          });
        return result;
      }),
  };
};

test('above a thousand findings, a job updates and undoes them, and an interruption neither loses nor repeats work', async () => {
  const owner = await createFindings(3_456);
  const { bulk, call, orgId } = owner;
  const accepted = await bulk({ filter: all, status: 'triaged', comment: 'Seen.' });
  assert.equal(accepted.status, 202, accepted.text);
  const { operation, matched } = accepted.body;
  assert.deepEqual([matched, operation.status, operation.percent], [3_456, 'queued', 0]);
  assert.equal(accepted.headers.location, `/api/v1/bulk-operations/${operation.id}`);
  const early = await call('POST', `/bulk-operations/${operation.id}/undo`);
  assert.deepEqual([early.status, early.body.error.code], [409, 'conflict']);

  await assert.rejects(work(owner, operation.id, lostAfter(2)), /Gone/);
  const running = succeeded(await call('GET', `/bulk-operations/${operation.id}`));
  // On a slow machine the job's time ends after the first batch, and the second transaction enqueues the next job.
  const expected = running.processed === 1_000 ? [1_000, 28] : [2_000, 57];
  assert.deepEqual([running.status, running.processed, running.percent], ['running', ...expected]);
  // A person changes a finding that the operation has not processed yet: it changed after the request.
  // Not by a list, which waits for columns of that many findings.
  const [changed] = await database.single<{ id: string }>(orgId, {
    text: `SELECT id FROM findings WHERE org_id = $1 AND status = 'new' LIMIT 1`,
    values: [orgId],
  });
  await bulk({ ids: [changed!.id], status: 'in_progress' });
  await Promise.all([work(owner, operation.id), work(owner, operation.id)]);
  const done = succeeded(await call('GET', `/bulk-operations/${operation.id}`));
  assert.deepEqual([done.status, done.updated, done.percent], ['completed', 3_455, 100]);
  assert.deepEqual(await countByStatus(orgId), { triaged: 3_455, in_progress: 1 });
  const [comments] = await database.single<{ count: number }>(orgId, {
    text: 'SELECT count(*)::integer AS count FROM finding_comments WHERE org_id = $1',
    values: [orgId],
  });
  assert.equal(comments!.count, 3_455);

  const undoing = await call('POST', `/bulk-operations/${operation.id}/undo`);
  assert.deepEqual([undoing.status, undoing.body.status], [202, 'undoing']);
  await assert.rejects(work(owner, operation.id, lostAfter(1)), /Gone/);
  assert.equal(succeeded(await call('GET', `/bulk-operations/${operation.id}`)).undo.restored, 1_000);
  const waiting = call('POST', `/bulk-operations/${operation.id}/undo`, undefined, { prefer: 'wait=60' });
  await work(owner, operation.id);
  const undone = succeeded(await waiting);
  assert.deepEqual([undone.status, undone.undo.restored, undone.undo.passed_over], ['undone', 3_455, 0]);
  assert.deepEqual(await countByStatus(orgId), { new: 3_455, in_progress: 1 });
  await assertFigures(orgId);
});

test('an unfinished operation whose job was lost gets a new one, and a waiting operation can be followed with Prefer: wait', async () => {
  const owner = await createFindings(1_100);
  const accepted = owner.bulk({ filter: all, status: 'triaged' }, { prefer: 'wait=60' });
  const unfinished = async () =>
    database.single<{ id: string }>(owner.orgId, {
      text: `SELECT id FROM bulk_operations WHERE org_id = $1`,
      values: [owner.orgId],
    });
  let [operation] = await unfinished();
  while (!operation) [operation] = await unfinished();
  const key = `update-findings:${owner.orgId}:${operation.id}`;
  const jobs = async () =>
    (await database.pool.query('SELECT 1 FROM graphile_worker._private_jobs WHERE key = $1', [key])).rowCount;
  assert.equal(await jobs(), 1);
  await database.pool.query('DELETE FROM graphile_worker._private_jobs WHERE key = $1', [key]);
  await bulkTicks[0]!.run({ database });
  assert.equal(await jobs(), 1);
  await work(owner, operation.id);
  const { status, body } = await accepted;
  assert.deepEqual([status, body.updated, body.operation.status], [202, 1_100, 'completed']);
});

test('records past the undo period are removed, and the operation says so', async () => {
  const { bulk, call, orgId } = await createFindings(3);
  const { operation } = succeeded(await bulk({ filter: all, status: 'triaged' }));
  const age = (interval: string) =>
    database.transaction(orgId, (tx) =>
      tx.query({
        text: `UPDATE bulk_operations SET created_at = created_at - $2::interval, completed_at = completed_at - $2::interval WHERE org_id = $1`,
        values: [orgId, interval],
      }),
    );
  const kept = async (table: string) =>
    (await database.single(orgId, { text: `SELECT 1 FROM ${table} WHERE org_id = $1`, values: [orgId] })).length;
  await bulkTicks[1]!.run({ database });
  assert.equal(await kept('bulk_operation_changes'), 3);
  await age('25 hours');
  await bulkTicks[1]!.run({ database });
  assert.deepEqual([await kept('bulk_operation_changes'), await kept('bulk_operations')], [0, 1]);
  const refused = await call('POST', `/bulk-operations/${operation.id}/undo`);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
  assert.match(refused.body.error.message, /more than 24 hours ago/);
  await age('91 days');
  await bulkTicks[1]!.run({ database });
  assert.equal(await kept('bulk_operations'), 0);
});

test('an operation that keeps failing ends as failed, and its changes can be undone', async () => {
  const owner = await createFindings(1_500);
  const { operation } = succeeded(await owner.bulk({ filter: all, status: 'triaged' }));
  await assert.rejects(work(owner, operation.id, lostAfter(1)), /Gone/);
  await database.transaction(owner.orgId, (tx) =>
    tx.query({
      text: `UPDATE bulk_operations SET filter = '{"from": "nonsense"}' WHERE org_id = $1`,
      values: [owner.orgId],
    }),
  );
  for (let attempt = 0; attempt < 5; attempt += 1) await assert.rejects(work(owner, operation.id), /from/);
  await work(owner, operation.id);
  await database.transaction(owner.orgId, (tx) =>
    tx.query({ text: `UPDATE bulk_operations SET filter = NULL WHERE org_id = $1`, values: [owner.orgId] }),
  );
  const failed = succeeded(await owner.call('GET', `/bulk-operations/${operation.id}`));
  assert.deepEqual([failed.status, failed.updated], ['failed', 1_000]);
  assert.match(failed.error, /internal error/);
  const undone = succeeded(await owner.call('POST', `/bulk-operations/${operation.id}/undo`));
  assert.deepEqual([undone.status, undone.undo.restored], ['undone', 1_000]);
});

test('a failed undo keeps the completion time of the update', async () => {
  const { bulk, call, orgId, userId } = await createFindings(3);
  const { operation } = succeeded(await bulk({ filter: all, status: 'triaged' }));
  await database.transaction(orgId, async (tx) => {
    await beginUndo(tx, orgId, operation.id, userId);
    await recordFailure(tx, orgId, operation.id, { maxFailures: 9, error: 'The disk was full.' });
  });
  const { status, completed_at } = succeeded(await call('GET', `/bulk-operations/${operation.id}`));
  assert.deepEqual([status, completed_at], ['undoing', operation.completed_at]);
});

test('updates of many findings and their undos are in the list and in the audit log', async () => {
  const { bulk, call, orgId, userId } = await createFindings(4);
  const { operation } = succeeded(await bulk({ filter: all, status: 'triaged', comment: 'x'.repeat(5_000) }));
  assert.equal((await bulk({ filter: all, status: 'triaged' })).body.operation, null);
  await call('POST', `/bulk-operations/${operation.id}/undo`);
  const { data } = succeeded(await call('GET', '/bulk-operations'));
  assert.deepEqual(
    data.map(({ id, requested_by, change }: typeof operation) => [id, requested_by.id, change.status]),
    [[operation.id, userId, 'triaged']],
  );
  const rows = await database.single<{ action: string; details: { change?: object } }>(orgId, {
    text: 'SELECT action, details FROM audit_events WHERE org_id = $1 AND subject_id = $2 ORDER BY id',
    values: [orgId, operation.id],
  });
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['findings.updated', 'findings.update_undone'],
  );
  assert.deepEqual(rows[0]!.details.change, { status: 'triaged', comment: true });
});

test('closing the finding that represents a problem leaves the others alone, in however many batches it is done', async () => {
  const owner = await createFindings(0);
  const alike = (source: string) =>
    Array.from({ length: 1_100 }, (_, n) =>
      detectionOf(`${n} by ${source}`, {
        identifiers: ['CWE-89'],
        location: { ...detectionOf('a').location, path: `src/file-${n}.ts`, start_line: 3 },
      }),
    );
  for (const source of ['semgrep', 'bandit'])
    await recordScan(database, owner.orgId, owner.dataSourceId, alike(source), { source });
  const change = { filter: { unique: true, status: ['new'] }, status: 'false_positive' };
  const preview = succeeded(await owner.bulk({ ...change, dry_run: true }));
  assert.equal(preview.matched, 1_100);
  const confirmed = { ...change, as_of: preview.as_of, expected_count: preview.matched };
  const { operation } = succeeded(await owner.bulk(confirmed));
  await work(owner, operation.id);
  const { processed, updated } = succeeded(await owner.call('GET', `/bulk-operations/${operation.id}`));
  assert.deepEqual([processed, updated], [1_100, 1_100]);
  assert.deepEqual(await countByStatus(owner.orgId), { new: 1_100, false_positive: 1_100 });
});

test('a preview takes into account that a finding with 50 tags gets no more', async () => {
  const owner = await createFindings(1);
  const [{ id }] = await owner.findings();
  succeeded(await owner.bulk({ ids: [id], tags: Array.from({ length: 50 }, (_, n) => `tag ${n}`) }));
  const change = { ids: [id], add_tags: ['extra'] };
  assert.equal(succeeded(await owner.bulk({ ...change, dry_run: true })).unchanged, 1);
  assert.equal(succeeded(await owner.bulk(change)).unchanged, 1);
});
