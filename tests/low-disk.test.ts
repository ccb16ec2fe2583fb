import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { mergeImport } from '../server/detection/imports/merge-import.ts';
import { detectionJobs } from '../server/detection/scans/jobs.ts';
import type { DetectionServices } from '../server/detection/services.ts';
import { isInterruption } from '../server/platform/interruption.ts';
import { silentLog } from '../server/platform/log.ts';
import { LowOnRoom, Room } from '../server/platform/room/room.ts';
import { createKeyring } from '../server/platform/sealed.ts';
import { openRooms } from '../server/processes/open-rooms.ts';
import { type Application, startApplication } from './harness/application.ts';
import { succeeded } from './harness/furnished.ts';
import { createTenant, type Person } from './harness/people.ts';
import { RepositoryFixture } from './harness/repository.ts';

const gigabyte = 1024 ** 3;
const plenty = { freeBytes: 10 * gigabyte, totalBytes: 20 * gigabyte };
const little = { freeBytes: gigabyte / 2, totalBytes: 20 * gigabyte };
/** The disk of the server and its worker, whose free space the tests set. */
let space = plenty;
const room = new Room('/srv/assay', async () => space);

let app: Application;
let owner: Person;
let dataDirectory: string;
let services: DetectionServices;
let fixture: RepositoryFixture;
before(async () => {
  app = await startApplication(undefined, null, { databaseRoom: room });
  owner = await createTenant(app.database);
  dataDirectory = mkdtempSync(join(tmpdir(), 'assay-low-disk-'));
  fixture = new RepositoryFixture();
  fixture.commit({ 'notes.md': 'nothing\n' });
  services = {
    database: app.database,
    keyring: createKeyring('k'.repeat(40)),
    log: silentLog,
    localRepositories: async () => [fixture.root],
    egressProxyUrl: 'http://127.0.0.1:9',
    stopping: new AbortController().signal,
    ...openRooms({ dataDirectory, databaseUrl: null }, silentLog),
    room,
    databaseRoom: room,
  } as Partial<DetectionServices> as DetectionServices;
});
beforeEach(() => {
  space = plenty;
});
after(async () => {
  await app.close();
  fixture.remove();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const sarif = (...texts: string[]) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'T' } }, results: texts.map((text) => ({ message: { text } })) }],
});
const call = (method: string, path: string, json?: unknown) =>
  app.call(owner.token, method, path, json === undefined ? {} : { json });
const importInto = (query = '') => call('POST', `/imports?data_source_name=ours${query}`, sarif('a', 'b'));
const merge = (scan: { id: string; data_sources: string[] }) =>
  mergeImport.run({ org_id: owner.orgId, scan_id: scan.id, data_source_id: scan.data_sources[0]! }, services);
const isHeld = (error: unknown) => error instanceof LowOnRoom && isInterruption(error);

test('while the disk is nearly full, an import is refused with what to do, triage continues, and the next one succeeds', async () => {
  await merge(succeeded(await importInto()));
  const { data } = succeeded(await call('GET', '/findings'));
  assert.equal(data.length, 2);
  space = little;
  const refused = await importInto();
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'unavailable']);
  assert.match(refused.body.error.message, /no imports at the moment; everything else continues/);
  assert.equal(refused.headers['retry-after'], '60');
  assert.equal((await importInto('&dry_run=true')).status, 200, 'a trial writes nothing');
  succeeded(await call('PATCH', `/findings/${data[0].id}`, { status: 'false_positive', comment: 'A test' }));
  succeeded(await call('POST', `/findings/${data[1].id}/comment`, { comment: 'Still possible' }));
  space = plenty;
  await merge(succeeded(await importInto()));
});

test('an import that was acknowledged before waits while the disk is nearly full, and is then merged', async () => {
  const scan = succeeded(await importInto());
  space = little;
  await assert.rejects(merge(scan), isHeld);
  const held = succeeded(await call('GET', `/scans/${scan.id}`));
  assert.equal(held.status, 'running');
  space = plenty;
  await merge(scan);
  assert.equal(succeeded(await call('GET', `/scans/${scan.id}`)).status, 'completed');
});

test('a scan waits before it fetches while the disk is nearly full, says so, and completes once there is space', async () => {
  const config = { url: 'https://example.com/x.git' };
  const added = succeeded(await call('POST', '/data-sources', { name: 'repository', kind: 'git_repository', config }));
  await app.database.single(owner.orgId, {
    text: 'UPDATE data_sources SET config = $3 WHERE org_id = $1 AND id = $2',
    values: [owner.orgId, added.id, JSON.stringify({ url: pathToFileURL(fixture.work).href, branch: null })],
  });
  const scan = succeeded(await call('POST', '/detection-sources/secrets/scan'));
  const scanTarget = detectionJobs.find(({ name }) => name === 'scan-target')!;
  const run = () =>
    scanTarget.run({ org_id: owner.orgId, scan_id: scan.id, data_source_id: added.id } as never, services);
  space = little;
  await assert.rejects(run(), isHeld);
  const held = succeeded(await call('GET', `/scans/${scan.id}`));
  assert.equal(held.status, 'running');
  const { data } = succeeded(await call('GET', `/scans/${scan.id}/targets`));
  assert.match(data[0].progress.message, /Waiting for room on the disk/);
  space = plenty;
  await run();
  const ended = succeeded(await call('GET', `/scans/${scan.id}`));
  assert.deepEqual([ended.status, ended.error ?? null], ['completed', null]);
});
