import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { untilLockWait } from '../../../tests/harness/lock-wait.ts';
import { deleteDataSource } from '../../data-sources/delete-data-source.ts';
import { lockDataSource } from '../../data-sources/queries.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { operator } from '../../organization/audit.ts';
import { silentLog } from '../../platform/log.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { findScan } from '../scans/queries.ts';
import { detectionOnDataSourceDeleted } from '../scans/start-scan.ts';
import { runClaimedTarget, takeTarget } from '../targets/claimed-target.ts';
import type { ClaimedTarget } from '../targets/target-queries.ts';
import { runImport } from './merge-import.ts';
import { receiveImport } from './receive-import.ts';
import { startImport } from './start-import.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

type Place = { orgId: string; dataSourceId: string };
const services = () => ({ database: testDatabase.database, log: silentLog });
const transaction = <T>({ orgId }: Place, run: (tx: Db) => Promise<T>) => testDatabase.database.transaction(orgId, run);

const file = Buffer.from(
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Lint' } },
        results: ['a', 'b'].map((ruleId) => ({ ruleId, level: 'error', message: { text: `About ${ruleId}` } })),
      },
    ],
  }),
);

const receive = ({ orgId }: Place) =>
  receiveImport(
    testDatabase.database,
    orgId,
    (async function* () {
      yield file;
    })(),
    { keyedHash: (value) => value },
  );

/** Receives a file and starts its import, in a transaction that runs `meanwhile` before it commits. */
async function begin(place: Place, meanwhile: () => unknown = () => {}) {
  const received = await receive(place);
  const wanted = { dataSourceId: place.dataSourceId, requestedBy: null, closeMissing: false };
  return transaction(place, async (tx) => {
    const job = await startImport(tx, place.orgId, wanted, received);
    await meanwhile();
    return job;
  });
}

/** Deletes the data source in a transaction that runs `meanwhile` once it has locked the data source. */
const remove = (place: Place, meanwhile: () => unknown = () => {}) =>
  transaction(place, async (tx) => {
    await lockDataSource(tx, place.orgId, place.dataSourceId);
    await meanwhile();
    const options = { actor: operator, onDeleted: [detectionOnDataSourceDeleted] };
    await deleteDataSource(tx, place.orgId, place.dataSourceId, options);
  });

const someoneWaits = () => untilLockWait(testDatabase.database);

const findingsOf = ({ orgId }: Place) =>
  testDatabase.database.single<{ status: string }>(orgId, {
    text: 'SELECT status FROM findings WHERE org_id = $1',
    values: [orgId],
  });
const scanOf = async (place: Place, id: string) => (await transaction(place, (tx) => findScan(tx, place.orgId, id)))!;

test('an import that starts while its data source is deleted is 404', async () => {
  const place = await insertTenant(testDatabase.database);
  let started: Promise<unknown> = Promise.resolve();
  await remove(place, async () => {
    started = begin(place);
    started.catch(() => {});
    await someoneWaits();
  });
  await assert.rejects(started, { code: 'not_found' });
  const text = 'SELECT FROM scans WHERE org_id = $1';
  assert.deepEqual(await testDatabase.database.single(place.orgId, { text, values: [place.orgId] }), []);
});

test('a deletion waits for an import that is just starting, and cancels it', async () => {
  const place = await insertTenant(testDatabase.database);
  let removed: Promise<unknown> = Promise.resolve();
  const job = await begin(place, async () => {
    removed = remove(place);
    await someoneWaits();
  });
  await removed;
  assert.equal((await scanOf(place, job.scan_id)).status, 'cancelled');
  assert.equal(await runImport(services(), job), 0);
  assert.deepEqual(await findingsOf(place), []);
});

test('an import into a data source that was deleted merges nothing, and says why', async () => {
  const place = await insertTenant(testDatabase.database);
  const job = await begin(place);
  // The state left by an earlier release, whose deletion missed an import that was just starting.
  await testDatabase.database.single(place.orgId, {
    text: 'UPDATE data_sources SET deleted_at = now() WHERE org_id = $1 AND id = $2',
    values: [place.orgId, place.dataSourceId],
  });
  assert.equal(await runImport(services(), job), 0);
  const { status, errors } = await scanOf(place, job.scan_id);
  assert.deepEqual([status, errors.map(({ message }) => message)], ['failed', ['The data source has been deleted.']]);
  assert.deepEqual(await findingsOf(place), []);
});

test('the end of an import and the concurrent deletion of its data source do not block each other', async () => {
  const place = await insertTenant(testDatabase.database);
  const { orgId, dataSourceId } = place;
  const job = await begin(place);
  const claim = (await takeTarget(testDatabase.database, orgId, job.scan_id, dataSourceId)) as {
    target: ClaimedTarget;
  };
  let ended: Promise<boolean> = Promise.resolve(true);
  await remove(place, async () => {
    ended = runClaimedTarget(services(), orgId, claim.target, {
      kind: 'import',
      run: async () => ({ warnings: [], closedNothing: 'not_requested' }),
      isInterruption: () => true,
      sentenceOf: String,
    });
    ended.catch(() => {});
    await someoneWaits();
  });
  assert.equal(await ended, false);
  assert.equal((await scanOf(place, job.scan_id)).status, 'cancelled');
});
