import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { purgeTexts } from '../../findings/shared-texts.ts';
import { silentLog } from '../../platform/log.ts';
import { findScan } from '../scans/queries.ts';
import { scanView } from '../scans/scan-schema.ts';
import { type ImportJob, runImport } from './merge-import.ts';
import { deleteImport } from './queries.ts';
import { receiveImport } from './receive-import.ts';
import { startImport } from './start-import.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

type Place = { orgId: string; dataSourceId: string };
type Result = { number: number; level?: string; suppressed?: boolean };

const results = (count: number): Result[] => Array.from({ length: count }, (_, number) => ({ number }));

/** A file with runs of two tools, whose results alternate. */
function* sarif(all: Result[]): Generator<Buffer> {
  const runs = ['One', 'Other'].map((name, run) => ({
    tool: { driver: { name } },
    results: all.flatMap(({ number, level = 'error', suppressed }) =>
      number % 2 === run
        ? {
            ruleId: `rule-${number % 7}`,
            level,
            message: { text: `Problem ${number}` },
            locations: [
              { physicalLocation: { artifactLocation: { uri: `src/${number}.ts` }, region: { startLine: 1 } } },
            ],
            ...(suppressed && { suppressions: [{ kind: 'external', justification: 'Known.' }] }),
          }
        : [],
    ),
  }));
  const text = Buffer.from(JSON.stringify({ version: '2.1.0', runs }));
  for (let at = 0; at < text.length; at += 65_536) yield text.subarray(at, at + 65_536);
}

async function receive(
  { orgId, dataSourceId }: Place,
  file: Iterable<Buffer>,
  closeMissing = false,
): Promise<ImportJob> {
  const { database } = testDatabase;
  const body = (async function* () {
    yield* file;
  })();
  const received = await receiveImport(database, orgId, body, { keyedHash: (value) => value });
  const wanted = { dataSourceId, requestedBy: null, closeMissing };
  return database.transaction(orgId, (tx) => startImport(tx, orgId, wanted, received));
}

async function merge({ orgId }: Place, job: ImportJob) {
  const { database } = testDatabase;
  assert.equal(await runImport({ database, log: silentLog }, job), 0);
  return scanView((await database.transaction(orgId, (tx) => findScan(tx, orgId, job.scan_id)))!);
}

const importFile = async (place: Place, file: Iterable<Buffer>) =>
  (await merge(place, await receive(place, file))).findings;

test('thousands of results of several tools are each merged once, and later only those that changed', async () => {
  const place = await insertTenant(testDatabase.database);
  const all = results(9_000);
  assert.deepEqual(await importFile(place, sarif(all)), { new: 9_000, seen: 0, reopened: 0, resolved: 0 });
  const changed = all.map((one) => (one.number % 1_000 === 3 ? { ...one, level: 'note' } : one));
  const more = [...changed, { number: 9_000 }, { number: 9_001, suppressed: true }];
  assert.deepEqual(await importFile(place, sarif(more)), { new: 2, seen: 9_000, reopened: 0, resolved: 0 });
  const [counts] = await testDatabase.database.single<Record<string, number>>(place.orgId, {
    text: `SELECT count(*)::integer AS total, (count(*) FILTER (WHERE severity = 0))::integer AS info,
             (count(*) FILTER (WHERE status <> 'new'))::integer AS decided,
             (count(*) FILTER (WHERE version = 2))::integer AS changed FROM findings WHERE org_id = $1`,
    values: [place.orgId],
  });
  assert.deepEqual(counts, { total: 9_002, info: 9, decided: 1, changed: 10 });
});

test('texts that a purge removes between reading and merging are stored again by the merge', async () => {
  const { database } = testDatabase;
  const place = await insertTenant(database);
  const { orgId } = place;
  const job = await receive(place, sarif(results(3)));
  await purgeTexts((run) => database.transaction(orgId, run), orgId);
  const found = (text: string) => database.single<{ count: number }>(orgId, { text, values: [orgId] });
  assert.deepEqual(await found('SELECT count(*)::integer AS count FROM finding_texts WHERE org_id = $1'), [
    { count: 0 },
  ]);
  await merge(place, job);
  const withText = `SELECT count(*)::integer AS count FROM findings f
    JOIN finding_texts t ON t.org_id = f.org_id AND t.id = f.text_id WHERE f.org_id = $1`;
  assert.deepEqual(await found(withText), [{ count: 3 }]);
});

test('an import whose results are gone fails and says what to do', async () => {
  const place = await insertTenant(testDatabase.database);
  const job = await receive(place, sarif(results(3)));
  await testDatabase.database.transaction(place.orgId, (tx) => deleteImport(tx, place.orgId, job.scan_id));
  const scan = await merge(place, job);
  assert.equal(scan.status, 'failed');
  assert.match(JSON.stringify(scan), /Send the file again/);
});
