import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { AdvisoryDirectory, osvAdvisory } from '../../../tests/harness/advisories.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { makeZip } from '../../../tests/harness/zip.ts';
import { silentLog } from '../../platform/log.ts';
import type { DetectionServices } from '../services.ts';
import { openFeed } from './open-feed.ts';
import { storedAdvisories } from './queries.ts';
import { type SyncOptions, syncAdvisories } from './sync.ts';
import { advisoryTick } from './tick.ts';

let base: TestDatabase;
let feed: AdvisoryDirectory;
before(async () => {
  base = await createTestDatabase();
});
after(() => base.drop());
beforeEach(() => {
  feed = new AdvisoryDirectory();
});
afterEach(async () => {
  feed.remove();
  for (const table of ['advisories', 'advisory_archives', 'advisory_sync']) {
    await base.database.single(null, { text: `DELETE FROM ${table}` });
  }
});

const policy = createNetworkPolicy({ allowed: ['127.0.0.1'] });
const sync = (more: Partial<SyncOptions> = {}, from = feed.directory) =>
  syncAdvisories({
    database: base.database,
    feed: openFeed(from, policy),
    signal: AbortSignal.timeout(600_000),
    ...more,
  });
const find = async (ecosystem: string, ...names: string[]) =>
  (await storedAdvisories(base.database).find(ecosystem, names)).map(
    ({ id, modified }) => `${id} ${modified.slice(0, 10)}`,
  );

const left = osvAdvisory('GHSA-aaaa-aaaa-aaaa', 'npm', 'left', '1.2.0');
const right = osvAdvisory('GHSA-bbbb-bbbb-bbbb', 'npm', 'right', '2.0.0');

test('advisories are found by their packages', async () => {
  feed.put('npm', [left, right]);
  feed.put('PyPI', [osvAdvisory('PYSEC-1', 'PyPI', 'Zope_Interface', '5')]);
  assert.equal(await storedAdvisories(base.database).exist(), false);
  const outcome = await sync();
  assert.deepEqual(
    outcome!.archives.map(({ ecosystem, counts }) => [ecosystem, counts?.added]),
    [
      ['PyPI', 1],
      ['npm', 2],
    ],
  );
  assert.equal(await storedAdvisories(base.database).exist(), true);
  assert.deepEqual(await find('npm', 'left', 'other'), ['GHSA-aaaa-aaaa-aaaa 2026-01-01']);
  assert.deepEqual(await find('PyPI', 'zope-interface'), ['PYSEC-1 2026-01-01']);
  assert.deepEqual(await find('crates.io', 'left'), []);
});

test('a second sync writes new and changed advisories, and deletes withdrawn and missing ones', async () => {
  const third = osvAdvisory('GHSA-cccc-cccc-cccc', 'npm', 'third', '3');
  feed.put('npm', [left, right, third]);
  await sync();
  const written = () =>
    base.database.single<{ id: string; xmin: string }>(null, {
      text: 'SELECT id, xmin::text FROM advisories ORDER BY id',
    });
  const before = await written();
  feed.put('npm', [
    left,
    { ...osvAdvisory(right.id, 'npm', 'renamed', '2'), modified: '2026-02-02T00:00:00Z' },
    { ...third, withdrawn: '2026-02-02T00:00:00Z' },
    osvAdvisory('GHSA-dddd-dddd-dddd', 'npm', 'fourth', '4'),
  ]);
  const [archive] = (await sync())!.archives;
  assert.deepEqual(archive!.counts, { added: 1, changed: 1, removed: 1, unchanged: 1, unreadable: 0 });
  assert.equal((await written())[0]!.xmin, before[0]!.xmin);
  assert.deepEqual(await find('npm', 'left', 'right', 'third', 'renamed', 'fourth'), [
    'GHSA-aaaa-aaaa-aaaa 2026-01-01',
    'GHSA-bbbb-bbbb-bbbb 2026-02-02',
    'GHSA-dddd-dddd-dddd 2026-01-01',
  ]);
});

test('an unchanged archive is not read again', async () => {
  feed.put('npm', [left]);
  await sync();
  const [archive] = (await sync())!.archives;
  assert.deepEqual([archive!.unchanged, archive!.counts], [true, null]);
});

test('unreadable advisories are counted, and their stored version is kept', async () => {
  feed.put('npm', [left, right]);
  await sync();
  feed.put('npm', [left], { [`${right.id}.json`]: '{"id": "GHSA-bbbb', 'README.md': 'x' });
  const [archive] = (await sync())!.archives;
  assert.deepEqual(archive!.counts, { added: 0, changed: 0, removed: 0, unchanged: 1, unreadable: 1 });
  assert.equal((await find('npm', 'right')).length, 1);
});

test('an archive that is damaged, empty or a bomb fails with a clear error; the others are loaded and nothing is deleted', async () => {
  feed.put('npm', [left]);
  await sync();
  const damages = [
    Buffer.from('no zip'),
    makeZip({}),
    makeZip({ 'a.json': Buffer.alloc(5_000_000, 32) }, 1_000),
    makeZip({ 'a.json': '{}' }, 40_000_000),
  ];
  for (const [index, damage] of damages.entries()) {
    feed.write('npm', damage);
    feed.put('Go', [osvAdvisory(`GO-${index}`, 'Go', 'example.com/a', '1')]);
    const outcome = (await sync())!;
    assert.deepEqual(
      outcome.archives.map(({ ecosystem, error }) => [ecosystem, error === null]),
      [
        ['Go', true],
        ['npm', false],
      ],
    );
    assert.equal((await find('npm', 'left')).length, 1);
    assert.deepEqual(await find('Go', 'example.com/a'), [`GO-${index} 2026-01-01`]);
  }
});

test('ecosystems without a manifest format are skipped, and only requested ones are loaded', async () => {
  feed.put('npm', [left]);
  feed.put('Go', [osvAdvisory('GO-1', 'Go', 'example.com/a', '1')]);
  feed.put('OSS-Fuzz', [osvAdvisory('OSV-1', 'OSS-Fuzz', 'a', '1')]);
  const outcome = (await sync({ only: ['Go'] }))!;
  assert.deepEqual(
    outcome.archives.map(({ ecosystem }) => ecosystem),
    ['Go'],
  );
  assert.deepEqual(outcome.passedOver, ['OSS-Fuzz']);
});

test('with "if due" a sync runs once a day, in one process, and at once when the source changes', async () => {
  feed.put('npm', [left]);
  const together = await Promise.all([1, 2, 3].map(() => sync({ onlyIfDue: true })));
  assert.equal(together.filter((outcome) => outcome !== null).length, 1);
  assert.equal(await sync({ onlyIfDue: true }), null);
  await base.database.single(null, { text: `UPDATE advisory_sync SET due_at = due_at - interval '25 hours'` });
  assert.notEqual(await sync({ onlyIfDue: true }), null);
  // The state after the clock was set back by two days, while a process that died had the sync claimed.
  await base.database.single(null, {
    text: `UPDATE advisory_sync SET due_at = due_at + interval '2 days', leased_until = clock_timestamp() + interval '2 days'`,
  });
  assert.notEqual(await sync({ onlyIfDue: true }), null);
  const other = new AdvisoryDirectory();
  other.put('npm', [right]);
  assert.notEqual(await sync({ onlyIfDue: true }, other.directory), null);
  assert.deepEqual(await find('npm', 'left', 'right'), ['GHSA-bbbb-bbbb-bbbb 2026-01-01']);
  other.remove();
});

test('a failed archive is retried within the hour, and an interrupted one at once', async () => {
  feed.write('npm', Buffer.from('no zip'));
  await sync({ onlyIfDue: true });
  const due = async () =>
    (
      await base.database.single<{ ms: number }>(null, {
        text: 'SELECT extract(epoch FROM due_at - clock_timestamp())::float8 * 1000 AS ms FROM advisory_sync',
      })
    )[0]!.ms;
  assert.ok((await due()) <= 3_600_000);
  feed.put('npm', [left]);
  await assert.rejects(sync({ signal: AbortSignal.abort(new Error('stop')) }));
  assert.ok((await due()) <= 0);
});

/** Serves the directory with ETags; `seen` records each request's path and response status. */
async function serve(seen: string[], list: string | null): Promise<{ url: string; server: Server }> {
  const respond = (request: IncomingMessage): { status: number; body?: Buffer; etag?: string } => {
    const path = decodeURIComponent(request.url!.slice(1));
    if (path === 'ecosystems.txt') return list === null ? { status: 404 } : { status: 200, body: Buffer.from(list) };
    try {
      const body = readFileSync(join(feed.directory, path));
      const etag = `"${body.length}"`;
      return request.headers['if-none-match'] === etag ? { status: 304 } : { status: 200, body, etag };
    } catch {
      return { status: 404 };
    }
  };
  const server = createServer((request, response) => {
    const { status, body, etag } = respond(request);
    seen.push(`${status} ${request.url}`);
    response.writeHead(status, etag ? { etag } : {}).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('only the changed files of an export on the web are fetched, according to its own list', async () => {
  feed.put('npm', [left]);
  feed.put('crates.io', [osvAdvisory('RUSTSEC-1', 'crates.io', 'a', '1')]);
  const seen: string[] = [];
  const { url, server } = await serve(seen, 'npm\ncrates.io\nLinux\nDebian:12\n');
  const first = (await sync({}, url))!;
  assert.deepEqual(first.passedOver, ['Linux']);
  assert.equal((await find('npm', 'left')).length, 1);
  feed.put('crates.io', [osvAdvisory('RUSTSEC-2', 'crates.io', 'a', '1.0.0')]);
  await sync({}, url);
  server.close();
  assert.deepEqual(seen.slice(3), ['200 /ecosystems.txt', '304 /npm/all.zip', '200 /crates.io/all.zip']);
  assert.deepEqual(await find('crates.io', 'a'), ['RUSTSEC-2 2026-01-01']);
});

test('a missing archive is skipped without a list of ecosystems, and reported with one', async () => {
  feed.put('npm', [left]);
  const without = await serve([], null);
  assert.deepEqual(
    (await sync({}, without.url))!.archives.map(({ ecosystem, error }) => [ecosystem, error]),
    [['npm', null]],
  );
  without.server.close();
  const listed = await serve([], 'npm\nGo\n');
  assert.deepEqual(
    (await sync({}, listed.url))!.archives.map(({ error }) => error),
    [null, 'The archive does not exist.'],
  );
  listed.server.close();
});

test('a feed whose server is briefly unavailable is retried, after a refusal it is not', async () => {
  feed.put('npm', [left]);
  const responses: Record<string, Array<number | 'reset'>> = {
    '/ecosystems.txt': [503, 200],
    '/npm/all.zip': ['reset', 429, 500, 200],
    '/Go/all.zip': [502, 502, 502, 502],
    '/Maven/all.zip': [418],
  };
  const server = createServer((request, response) => {
    const status = responses[request.url!]?.shift() ?? 404;
    if (status === 'reset') return request.socket.resetAndDestroy();
    const isList = request.url === '/ecosystems.txt';
    const body = isList ? Buffer.from('npm\nGo\nMaven\n') : readFileSync(join(feed.directory, 'npm/all.zip'));
    response.writeHead(status).end(status === 200 ? body : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const messages: string[] = [];
  const options = { pausesMs: [1, 1, 1], progress: (message: string) => messages.push(message) };
  const { archives } = (await sync(options, url))!;
  server.close();
  assert.deepEqual(
    archives.map(({ ecosystem, error }) => [ecosystem, error?.replace(url, '') ?? null]),
    [
      ['npm', null],
      ['Go', '/Go/all.zip returned 502.'],
      ['Maven', '/Maven/all.zip returned 418.'],
    ],
  );
  assert.deepEqual(Object.values(responses).flat(), [], 'each is asked as often as it may help');
  assert.ok(messages.includes('npm: not available, tried again in 0.001 s'), messages.join());
  assert.equal((await find('npm', 'left')).length, 1);
});

test('an address inside the network is refused', async () => {
  const refused = createNetworkPolicy({ allowed: [] });
  await assert.rejects(sync({ feed: openFeed('http://127.0.0.1:1/', refused) }), /127\.0\.0\.1|allowed/);
});

test('a worker loads due feeds from the configured source, and nothing without one', async () => {
  feed.put('npm', [left]);
  const services = (advisories: string | null) =>
    ({
      feeds: { advisories, epss: null, kev: null },
      database: base.database,
      networkPolicy: policy,
      stopping: AbortSignal.timeout(600_000),
      log: silentLog,
    }) as DetectionServices;
  await advisoryTick.run(services(null));
  assert.equal((await find('npm', 'left')).length, 0);
  await advisoryTick.run(services(feed.directory));
  assert.equal((await find('npm', 'left')).length, 1);
  feed.put('npm', [right]);
  await advisoryTick.run(services(feed.directory));
  assert.equal((await find('npm', 'right')).length, 0);
});
