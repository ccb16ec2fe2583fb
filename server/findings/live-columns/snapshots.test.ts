import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { autocommit, type Database, type Statement } from '../../platform/postgres/database.ts';
import { type FindingColumns, orderKeys } from '../columns/finding-columns.ts';
import { readFilters } from '../filters/read.ts';
import { type FilterInput, filterEntries } from '../filters/table.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { LiveColumns } from './live-columns.ts';
import { countFacets, findPage } from './questions.ts';
import { readColumns, writeColumns } from './snapshot-file.ts';
import { Snapshots } from './snapshots.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
const root = await mkdtemp(join(tmpdir(), 'assay-columns-'));
after(async () => {
  await testDatabase.drop();
  await rm(root, { recursive: true });
});

const problems: string[] = [];
/** Each test has a separate directory, which the first writer creates. */
let directory = root;
beforeEach(({ name }) => {
  directory = join(root, String(crc32(name)));
  problems.length = 0;
});
const pathOf = (orgId: string) => join(directory, `${orgId}.columns`);

/** A database that lists no findings, so that columns can only come from a file. */
const sparing = Object.create(database, {
  single: {
    value: (orgId: string, statement: Statement, before?: Statement[]) => {
      if (statement.name === 'column_rows_list') throw new Error('All findings were listed.');
      return database.single(orgId, statement, before);
    },
  },
}) as Database;

const open = (of: Database = database) =>
  new LiveColumns(
    { database: of, snapshots: new Snapshots(of, directory), report: (problem) => problems.push(problem) },
    100_000_000,
  );

async function loaded(live: LiveColumns, orgId: string): Promise<FindingColumns> {
  for (;;) {
    const columns = await live.read(orgId);
    if (columns !== null) return columns;
    if (problems.length > 0) assert.fail(problems.join());
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the columns of a process that starts with the stored files. */
async function restarted(orgId: string): Promise<FindingColumns> {
  const live = open(sparing);
  await live.start();
  if (problems.length > 0) assert.fail(problems.splice(0).join());
  return loaded(live, orgId);
}

const fields = filterEntries.filter(([, { facet }]) => facet).map(([name]) => name);
const inputs: FilterInput[] = [{}, { severity: ['high'] }, { unique: true }, { status: ['-new'] }];

/** Returns facets, and all findings in every order, under some filters. */
async function seenIn(columns: FindingColumns, orgId: string) {
  const seen = [];
  for (const input of inputs) {
    const filters = await readFilters(autocommit(database, orgId), { orgId, userId: 'usr_x' }, input);
    seen.push(countFacets(columns, filters, fields, { limit: 50 }));
    for (const key of orderKeys)
      seen.push(findPage(columns, filters, { key, descending: true, after: null, limit: 1_000 }));
  }
  return seen;
}

async function requireFresh(columns: FindingColumns, orgId: string): Promise<void> {
  const fresh = new LiveColumns({ database, snapshots: null, report: assert.fail }, 100_000_000);
  assert.deepEqual(await seenIn(columns, orgId), await seenIn(await loaded(fresh, orgId), orgId));
}

const many = (from: number, to: number, changes: Parameters<typeof detectionOf>[1] = {}) =>
  Array.from({ length: to - from }, (_, n) => detectionOf(`k${from + n}`, changes));

/** Loads columns and waits for their file. */
async function stored(live: LiveColumns, orgId: string): Promise<void> {
  await loaded(live, orgId);
  while (!existsSync(pathOf(orgId))) await delay(10);
}

/** Creates an organization whose columns are stored and have changed since. */
async function furnish() {
  const { orgId, dataSourceId } = await insertTenant(database);
  await recordScan(database, orgId, dataSourceId, many(0, 40));
  const live = open();
  await stored(live, orgId);
  await recordScan(database, orgId, dataSourceId, [...many(0, 20, { severity: 'low' }), ...many(40, 60)]);
  return { orgId, dataSourceId, live };
}

test('a new process has the columns that another one stored, with every change since, and lists no findings', async () => {
  const { orgId } = await furnish();
  await requireFresh(await restarted(orgId), orgId);
  assert.deepEqual(problems, []);
});

test('only this user may read the files', async () => {
  const { orgId } = await furnish();
  const modes = await Promise.all([directory, pathOf(orgId)].map(async (path) => (await stat(path)).mode & 0o777));
  assert.deepEqual(modes, [0o700, 0o600]);
});

test('columns that change while they are written equal those of the earlier moment, once the changes are applied', async () => {
  const { orgId, dataSourceId, live } = await furnish();
  const columns = await loaded(live, orgId);
  const { title } = (await readColumns(pathOf(orgId), () => true))!;
  const present = columns.store();
  // The next changes are applied to the arrays that are being written, or to their replacements.
  await recordScan(database, orgId, dataSourceId, many(5, 2_000, { severity: 'critical' }));
  await loaded(live, orgId);
  await writeColumns(pathOf(orgId), title, present);
  await requireFresh(await restarted(orgId), orgId);
});

test('a damaged file is ignored and rebuilt, wherever the damage is', async () => {
  const { orgId } = await furnish();
  const whole = await readFile(pathOf(orgId));
  const places = Array.from({ length: 10 }, (_, n) => Math.floor((n * (whole.length - 1)) / 9));
  for (const place of places) {
    const damaged = Buffer.from(whole);
    damaged[place]! ^= 0x10;
    for (const bytes of [damaged, whole.subarray(0, place)]) {
      await writeFile(pathOf(orgId), bytes);
      const live = open();
      await live.start();
      assert.match(problems.pop() ?? '', /^Stored columns can't be used/, `${place} of ${whole.length}`);
      await requireFresh(await loaded(live, orgId), orgId);
    }
  }
  await stored(open(), orgId);
  await requireFresh(await restarted(orgId), orgId);
});

test('a file of another organization, database, schema or history is ignored', async () => {
  const [one, other] = [await furnish(), await furnish()];
  await copyFile(pathOf(one.orgId), pathOf(other.orgId));
  await assert.rejects(restarted(other.orgId), /All findings were listed/);
  const read = (await readColumns(pathOf(one.orgId), () => true))!;
  for (const part of ['history', 'layout'] as const) {
    const title = { ...read.title, [part]: `${read.title[part]} of before` };
    await writeColumns(pathOf(one.orgId), title, { ...read, values: () => read.values });
    await assert.rejects(restarted(one.orgId), /All findings were listed/);
  }
  // In a cluster that was set back, the log has no changes.
  await writeColumns(pathOf(one.orgId), read.title, { ...read, values: () => read.values });
  await testDatabase.asAdmin(`SET session_replication_role = replica;
    DELETE FROM findings WHERE org_id = '${one.orgId}' AND number = 30`);
  const live = open();
  await live.start();
  assert.match(problems.pop() ?? '', /another history/);
  await requireFresh(await loaded(live, one.orgId), one.orgId);
});

test('organizations that nobody read in the last hour are not loaded, and files unused for a day are removed', async () => {
  const { orgId } = await furnish();
  const age = async (hours: number) => {
    const at = new Date(Date.now() - hours * 3_600_000);
    await utimes(pathOf(orgId), at, at);
  };
  const live = open(sparing);
  await age(2);
  await live.start();
  assert.ok(!live.usage.organizations.includes(orgId));
  await requireFresh(await loaded(live, orgId), orgId);
  await age(25);
  await open().refresh();
  assert.ok(!(await readdir(directory)).includes(`${orgId}.columns`));
});
