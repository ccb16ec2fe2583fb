import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { insertAliases } from '../aliases/alias-queries.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import { readFilters } from '../filters/read.ts';
import { filterEntries } from '../filters/table.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { recompute } from '../policy/recompute.ts';
import { triageFindings } from '../triage-findings.ts';
import { needsDatabase } from './found.ts';
import { LiveColumns } from './live-columns.ts';
import { countFacets } from './questions.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

const mb = 1_000_000;
const problems: string[] = [];
const openColumns = (maxBytes = 100 * mb, of: Database = database) =>
  new LiveColumns({ database: of, snapshots: null, report: (problem) => problems.push(problem) }, maxBytes);

/** Returns the columns once they are loaded. */
async function loaded(live: LiveColumns, orgId: string): Promise<FindingColumns> {
  for (;;) {
    const columns = await live.read(orgId);
    if (columns !== null) return columns;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const fields = filterEntries.filter(([, { facet }]) => facet).map(([name]) => name);

/** Returns the facets of some columns under each filter's first sample. */
async function seenIn(columns: FindingColumns, orgId: string) {
  const now = new Date('2026-06-01T00:00:00Z');
  const reading = [{}, ...filterEntries.map(([name, { samples }]) => ({ [name]: samples[0] }))];
  const seen = [];
  for (const input of reading) {
    const filters = await readFilters(autocommit(database, orgId), { orgId, userId: 'usr_x' }, input, { now });
    if (!needsDatabase(filters)) seen.push([input, countFacets(columns, filters, fields, { limit: 50 })]);
  }
  return seen;
}

/** Requires columns that have followed the changes to equal freshly loaded ones. */
async function requireFresh(live: LiveColumns, orgId: string): Promise<void> {
  const followed = await seenIn(await loaded(live, orgId), orgId);
  const fresh = await seenIn(await loaded(openColumns(), orgId), orgId);
  assert.deepEqual(followed, fresh);
}

const many = (from: number, to: number, changes: Parameters<typeof detectionOf>[1] = {}) =>
  Array.from({ length: to - from }, (_, n) => detectionOf(`k${from + n}`, changes));

/** Creates an organization with 30 findings. */
async function open() {
  const tenant = await insertTenant(database);
  const { orgId, dataSourceId } = tenant;
  await recordScan(database, orgId, dataSourceId, many(0, 30));
  const run = (text: string, values: unknown[] = []) => database.single(orgId, { text, values: [orgId, ...values] });
  const ids = async () =>
    (await database.single<{ id: string }>(orgId, { text: 'SELECT id FROM findings ORDER BY id' })).map(({ id }) => id);
  const countAll = async (live: LiveColumns) => countFacets(await loaded(live, orgId), {}, [], { limit: 0 }).total;
  return { ...tenant, run, ids, countAll };
}

test('columns follow scans, decisions, comments, recomputed priorities, and changes of data sources', async () => {
  const { orgId, userId, dataSourceId, run, ids } = await open();
  const live = openColumns();
  await loaded(live, orgId);
  const [first, second] = (await ids()) as [string, string];
  const decide = (id: string, decision: Parameters<typeof triageFindings>[4]) =>
    database.transaction(orgId, (tx) => triageFindings(tx, orgId, userId, [id], decision));
  const steps: Record<string, () => Promise<unknown>> = {
    'new, changed and missing findings': () =>
      recordScan(database, orgId, dataSourceId, [
        ...many(5, 20, { severity: 'low', identifiers: ['CVE-2021-44228'] }),
        ...many(30, 40),
      ]),
    'a scan that sees the same': () => recordScan(database, orgId, dataSourceId, many(5, 20, { severity: 'low' })),
    'a status, tags and an assignee': () => decide(first, { status: 'triaged', tags: ['pci'], assigneeId: userId }),
    'a comment alone': () => decide(second, { comment: 'Checked.' }),
    'the criticality of a data source': async () => {
      await run(
        `UPDATE data_sources SET criticality = 'critical', tags = '{pci}', importance_version = importance_version + 1 WHERE org_id = $1`,
      );
      while ((await recompute(database, orgId)) !== 'done');
    },
    'aliases of advisories': async () => {
      const aliases = [{ alias: 'GHSA-JFH8-C2JP-5V3Q', name: 'CVE-2021-44228' }];
      await database.transaction(orgId, (tx) => insertAliases(tx, orgId, aliases));
      while ((await recompute(database, orgId)) !== 'done');
    },
    'an owner of a data source': () => run('UPDATE data_sources SET owner_id = $2 WHERE org_id = $1', [userId]),
    'a statement of an operator': () => run(`UPDATE findings SET due_at = now(), epss = 0.7 WHERE org_id = $1`),
  };
  for (const [name, step] of Object.entries(steps)) {
    await step();
    await requireFresh(live, orgId).catch((error: Error) => assert.fail(`after ${name}: ${error.message}`));
  }
  assert.deepEqual(problems, []);
});

test('a change that commits late is seen, even if later ones were seen before', async () => {
  const { orgId, run, ids, countAll } = await open();
  const live = openColumns();
  assert.equal(await countAll(live), 30);
  const criticals = async () =>
    countFacets(await loaded(live, orgId), { severity: ['critical'] }, [], { limit: 0 }).total;
  const [first, second] = await ids();
  const change = (id: string | undefined) => ({
    text: 'UPDATE findings SET severity = 4 WHERE org_id = $1 AND id = $2',
    values: [orgId, id],
  });
  await database.transaction(orgId, async (tx) => {
    await tx.query(change(first));
    await run('UPDATE findings SET severity = 4 WHERE org_id = $1 AND id = $2', [second]);
    assert.equal(await criticals(), 1);
    assert.equal(await criticals(), 1);
  });
  assert.equal(await criticals(), 2);
});

test('concurrent readers count each change exactly once, after it has committed', async () => {
  const { orgId, run, ids } = await open();
  const live = openColumns();
  const countInfos = async () => countFacets(await loaded(live, orgId), { severity: ['info'] }, [], { limit: 0 }).total;
  await countInfos();
  let committed = 0;
  let isDone = false;
  const write = async (own: string[]) => {
    for (const id of own) {
      await run('UPDATE findings SET severity = 0 WHERE org_id = $1 AND id = $2', [id]);
      committed += 1;
    }
  };
  const read = async () => {
    while (!isDone) {
      const before = committed;
      const seen = await countInfos();
      assert.ok(seen >= before && seen <= committed + 3, `${before} <= ${seen} <= ${committed + 3}`);
    }
  };
  const all = await ids();
  const readers = [read(), read(), read()];
  await Promise.all([write(all.slice(0, 10)), write(all.slice(10, 20)), write(all.slice(20))]);
  isDone = true;
  await Promise.all(readers);
  assert.equal(await countInfos(), 30);
});

test('columns whose changes are no longer in the log are reloaded; removing entries that they have applied changes nothing', async () => {
  const { orgId, run, ids, countAll } = await open();
  const [late, prompt] = [openColumns(), openColumns()];
  await Promise.all([countAll(late), countAll(prompt)]);
  const [first] = await ids();
  await run('UPDATE findings SET severity = 4 WHERE org_id = $1 AND id = $2', [first]);
  const before = await loaded(prompt, orgId);
  await run(`UPDATE finding_change_log SET at = at - interval '25 hours' WHERE org_id = $1`);
  // Entries stay until the transactions that are running anywhere in the cluster have ended.
  const left = 'SELECT FROM finding_change_log WHERE org_id = $1 AND removed IS NULL';
  while ((await run(left)).length > 0) await run('SELECT shorten_finding_change_log($1)');
  assert.equal(await late.read(orgId), null);
  assert.equal(await loaded(prompt, orgId), before);
  for (const live of [late, prompt]) await requireFresh(live, orgId);
});

test('entries restored from another database are not read', async () => {
  const { orgId, run, ids } = await open();
  const live = openColumns();
  const columns = await loaded(live, orgId);
  await run(
    `INSERT INTO finding_change_log (org_id, transaction, finding_ids, removed) VALUES ($1, '9000000000000000', $2, '{9000000000000000}')`,
    [await ids()],
  );
  assert.equal(await loaded(live, orgId), columns);
  await requireFresh(live, orgId);
});

test('organizations whose findings have the same ids share nothing', async () => {
  const one = await open();
  const other = await insertTenant(database);
  await testDatabase.asAdmin(`DO $$ DECLARE columns text := (SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'findings'::regclass
      AND attnum > 0 AND attgenerated = '' AND attname NOT IN ('org_id', 'severity'));
    BEGIN EXECUTE format('INSERT INTO findings (org_id, severity, %s) SELECT %L, 0, %s FROM findings WHERE org_id = %L',
      columns, '${other.orgId}', columns, '${one.orgId}'); END $$`);
  const live = openColumns();
  const count = async (orgId: string, severity: 'info' | 'high') =>
    countFacets(await loaded(live, orgId), { severity: [severity] }, [], { limit: 0 }).total;
  const counts = async () => [
    await count(one.orgId, 'high'),
    await count(other.orgId, 'info'),
    await count(other.orgId, 'high'),
  ];
  assert.deepEqual(await counts(), [30, 30, 0]);
  await one.run('UPDATE findings SET severity = 4 WHERE org_id = $1');
  assert.deepEqual(await counts(), [0, 30, 0]);
});

test('the least recently used organizations are evicted, and one that exceeds all memory has no columns', async () => {
  const [one, other] = [await open(), await open()];
  const size = (await loaded(openColumns(), one.orgId)).bytes;
  const live = openColumns(size * 1.5);
  await loaded(live, one.orgId);
  await loaded(live, other.orgId);
  assert.deepEqual(live.usage.organizations, [other.orgId]);
  assert.equal(await live.read(one.orgId), null, 'it made room');
  const tiny = openColumns(1);
  assert.equal(await tiny.read(one.orgId), null);
  problems.length = 0;
  while (problems.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.match(problems.pop()!, /ASSAY_COLUMNS_MB/);
  assert.equal(await tiny.read(one.orgId), null);
});
