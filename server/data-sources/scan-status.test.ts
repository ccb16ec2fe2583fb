import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordEndedScan } from '../../tests/harness/furnished.ts';
import { addRepository, database, get, orgId } from './data-sources.fixture.ts';

type Scan = Parameters<typeof recordEndedScan>[3];

async function statusAfter(...scans: Scan[]) {
  const { id } = await addRepository();
  for (const scan of scans) await recordEndedScan(database, orgId, id, scan);
  const { status, status_message, scanners } = (await get(id)).body;
  return { status, status_message, scanners: scanners.map((one: Record<string, string>) => [one.source, one.status]) };
}

test('a data source has the worst status of the last scans of its scanners, with the reason', async () => {
  const [code, infrastructure] = [{ source: 'code' }, { source: 'infrastructure' }];
  assert.deepEqual(await statusAfter(), { status: 'never_scanned', status_message: null, scanners: [] });
  assert.deepEqual(await statusAfter({}, code, { ...infrastructure, daysAgo: 6 }), {
    status: 'ok',
    status_message: null,
    scanners: [
      ['code', 'ok'],
      ['infrastructure', 'ok'],
      ['secrets', 'ok'],
    ],
  });
  assert.deepEqual(await statusAfter({ daysAgo: 8 }, code), {
    status: 'stale',
    status_message: 'The last complete scan was more than 7 days ago.',
    scanners: [
      ['secrets', 'stale'],
      ['code', 'ok'],
    ],
  });
  assert.deepEqual(await statusAfter({ daysAgo: 8 }, { ...code, warning: 'Two files are too large.' }), {
    status: 'partial',
    status_message: 'Two files are too large.',
    scanners: [
      ['code', 'partial'],
      ['secrets', 'stale'],
    ],
  });
  const failed = { status: 'failed', error: 'The host refused the key.' } as const;
  assert.deepEqual(await statusAfter(failed, { ...code, warning: 'Cut off.' }, infrastructure), {
    status: 'failed',
    status_message: 'The host refused the key.',
    scanners: [
      ['secrets', 'failed'],
      ['code', 'partial'],
      ['infrastructure', 'ok'],
    ],
  });
});

test('only the last scan of a scanner counts, and cancelled scans do not', async () => {
  const failed = { status: 'failed', error: 'No route to host.' } as const;
  assert.equal((await statusAfter(failed, {})).status, 'ok');
  assert.equal((await statusAfter({}, failed, { status: 'cancelled' })).status, 'failed');
  assert.equal((await statusAfter({ daysAgo: 8 }, { status: 'cancelled' })).status, 'stale');
  assert.equal((await statusAfter({ status: 'cancelled' })).status, 'never_scanned');
  // A scanner that runs each hour does not hide another's failure.
  const hourly = Array.from({ length: 60 }, () => ({}));
  assert.equal((await statusAfter({ ...failed, source: 'code' }, ...hourly)).status, 'failed');
});

test('the date of a status is that of the scan', async () => {
  const { id } = await addRepository();
  await recordEndedScan(database, orgId, id, { daysAgo: 8 });
  const { scanners, last_scanned_at } = (await get(id)).body;
  assert.equal(scanners[0].at, last_scanned_at);
});

test('scanners report which revision they read, and which of them are behind the newest', async () => {
  const { id } = await addRepository();
  const [old, fresh] = ['a'.repeat(40), 'b'.repeat(40)];
  const behind = async () =>
    (await get(id)).body.scanners
      .map((one: Record<string, string>) => [one.source, one.revision, one.is_behind])
      .sort();
  await recordEndedScan(database, orgId, id, { source: 'code', daysAgo: 2, revision: old });
  await recordEndedScan(database, orgId, id, { source: 'secrets', daysAgo: 2, revision: old });
  assert.deepEqual(await behind(), [
    ['code', old, false],
    ['secrets', old, false],
  ]);
  await recordEndedScan(database, orgId, id, { source: 'secrets', daysAgo: 1, revision: fresh });
  await recordEndedScan(database, orgId, id, { source: 'semgrep' });
  assert.deepEqual(await behind(), [
    ['code', old, true],
    ['secrets', fresh, false],
    ['semgrep', null, false],
  ]);
  // A scan's revision stays the older one, however late the scan's status is read.
  await recordEndedScan(database, orgId, id, { source: 'code', revision: fresh });
  assert.deepEqual(
    (await behind()).filter(([, , is]: unknown[]) => is),
    [],
  );
});
