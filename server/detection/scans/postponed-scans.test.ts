import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sample } from '@assay/scanner/detectors/secrets/sample.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { asAdmin, createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { commandOf, isAlive, processTree, signal } from '../../../tests/harness/processes.ts';
import { type Listener, RepositoryFixture, serveHttp } from '../../../tests/harness/repository.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { type EgressProxy, startEgressProxy } from '../../platform/egress/egress-proxy.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { CachedDirectories } from '../../platform/room/cached-directories.ts';
import { Room } from '../../platform/room/room.ts';
import { createKeyring } from '../../platform/sealed.ts';
import { findDetector } from '../registry.ts';
import type { DetectionServices } from '../services.ts';
import { detectionJobs } from './jobs.ts';
import { listTargets } from './list-targets.ts';
import { findScan } from './queries.ts';
import { scanView } from './scan-schema.ts';
import { startScan } from './start-scan.ts';
import { scanTargetView } from './target-schema.ts';

let testDatabase: TestDatabase;
let repository: RepositoryFixture;
let backend: Listener;
let proxy: EgressProxy;
let services: DetectionServices;
const cacheDirectory = mkdtempSync(join(tmpdir(), 'postponed-'));

before(async () => {
  testDatabase = await createTestDatabase();
  repository = new RepositoryFixture();
  repository.commit({ '.env': `STRIPE_KEY=sk_${'live'}_${sample('0-9A-Za-z', 24, 'postponed')}\n` });
  backend = await serveHttp(repository.root);
  const networkPolicy = createNetworkPolicy({ allowed: ['127.0.0.0/8'] });
  proxy = await startEgressProxy({ policy: networkPolicy });
  services = {
    database: testDatabase.database,
    keyring: createKeyring('k'.repeat(40)),
    log: silentLog,
    networkPolicy,
    localRepositories: async () => [],
    cacheDirectory,
    caches: new CachedDirectories(cacheDirectory),
    room: new Room(cacheDirectory),
    roomKeeper: {} as DetectionServices['roomKeeper'],
    databaseRoom: null,
    egressProxyUrl: proxy.url,
    feeds: { advisories: null, epss: null, kev: null },
    retryForMs: 600_000,
    stopping: new AbortController().signal,
  };
});
after(async () => {
  await Promise.all(Host.all.map((host) => host.down()));
  await proxy.close();
  await backend.close();
  repository.remove();
  rmSync(cacheDirectory, { recursive: true, force: true });
  await testDatabase.drop();
});

/** A host of one repository that the test can take down, and whose responses it can set. */
class Host {
  static readonly all: Host[] = [];
  readonly #server: Server;
  listener: RequestListener | null = null;
  port = 0;

  constructor() {
    Host.all.push(this);
    this.#server = createServer((request, response) => {
      if (this.listener) return this.listener(request, response);
      response.setHeader('Location', `${backend.url}${request.url}`);
      response.writeHead(307).end();
    });
  }

  async up() {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async down() {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const job = detectionJobs.find(({ name }) => name === 'scan-target')!;

/** A scan of one data source, whose job the test runs itself. */
class ScanUnderTest {
  readonly #source: string;
  readonly #options: Partial<DetectionServices>;
  orgId = '';
  dataSourceId = newId('ds');
  scanId = '';

  constructor(source: string, options: Partial<DetectionServices> = {}) {
    this.#source = source;
    this.#options = options;
  }

  async begin(kind: 'git_repository' | 'website', url: string): Promise<this> {
    ({ orgId: this.orgId } = await insertTenant(testDatabase.database));
    await testDatabase.database.single(this.orgId, {
      text: `INSERT INTO data_sources (org_id, id, kind, name, address, config) VALUES ($1, $2, $3, 'r', $4, $5)`,
      values: [this.orgId, this.dataSourceId, kind, url, JSON.stringify({ url, branch: null })],
    });
    this.scanId = await this.request();
    return this;
  }

  /** Requests the scan, like `POST /detection-sources/{type}/scan`. */
  request(): Promise<string> {
    return testDatabase.database.transaction(this.orgId, (tx) =>
      startScan(tx, this.orgId, {
        detector: findDetector(this.#source)!,
        trigger: 'api',
        requestedBy: null,
        dataSourceIds: [this.dataSourceId],
      }),
    );
  }

  /** Runs the job of the target when it is due, like a worker, and returns the target. */
  async run() {
    const payload = { org_id: this.orgId, scan_id: this.scanId, data_source_id: this.dataSourceId };
    await job.run(payload, { ...services, ...this.#options });
    return this.target();
  }

  async target() {
    const { database } = testDatabase;
    const page = { statuses: null, afterId: null, limit: 1 };
    const [row] = await database.transaction(this.orgId, (tx) => listTargets(tx, this.orgId, this.scanId, page));
    return scanTargetView(row!);
  }

  async scan() {
    return scanView(
      (await testDatabase.database.transaction(this.orgId, (tx) => findScan(tx, this.orgId, this.scanId)))!,
    );
  }

  /** Returns the delay of its waiting job, in seconds. */
  async delay(): Promise<number> {
    const text = `SELECT extract(epoch FROM run_at - clock_timestamp())::float8 AS seconds FROM graphile_worker.jobs WHERE key = $1`;
    const key = `${this.scanId}:${this.dataSourceId}`;
    const { rows } = await asAdmin(testDatabase.adminUrl, (client) => client.query<{ seconds: number }>(text, [key]));
    assert.equal(rows.length, 1, 'the target has a job');
    return rows[0]!.seconds;
  }
}

const gitProcesses = (name: RegExp) => processTree(process.pid).filter((pid) => name.test(commandOf(pid)));

async function killGit(name: RegExp, by: NodeJS.Signals): Promise<void> {
  const [pid] = await eventually(async () => {
    const found = gitProcesses(name);
    return found.length > 0 && found;
  });
  signal(pid!, by);
  await eventually(async () => !isAlive(pid!));
}

test('a scan whose host is down says why, is tried again after a pause, and completes when the host is back', async () => {
  const host = new Host();
  await host.up();
  await host.down();
  const scan = await new ScanUnderTest('secrets').begin('git_repository', `http://127.0.0.1:${host.port}/work/.git`);
  const refused = await scan.run();
  assert.deepEqual([refused.status, refused.retry?.count, refused.errors], ['running', 1, []]);
  assert.match(refused.retry!.reason, /could not be reached/);
  assert.ok(Date.parse(refused.retry!.at!) > Date.now() - 2_000);
  const seen = await scan.scan();
  assert.deepEqual([seen.status, seen.completed_at], ['running', null]);
  assert.match(seen.progress.message!, /^Trying again in 2 s \(attempt 2 of at most 7\)\. .*could not be reached/);
  const early = await scan.run();
  assert.deepEqual(early.retry, refused.retry, 'a job that comes too early waits');
  assert.ok((await scan.delay()) > 0.2);
  await host.up();
  // A new request for the scan ends the pause.
  assert.equal(await scan.request(), scan.scanId);
  assert.ok((await scan.delay()) <= 0);
  const completed = await scan.run();
  assert.deepEqual([completed.status, completed.findings.new, completed.retry], ['completed', 1, null]);
  assert.equal((await scan.scan()).status, 'completed');
  await host.down();
});

test('hosts that have a fault, limit requests or drop connections are tried again', async () => {
  const host = new Host();
  await host.up();
  const broken: Record<string, RequestListener> = {
    fault: (_request, response) => response.writeHead(503).end(),
    limit: (_request, response) => response.writeHead(429, { 'Retry-After': '1' }).end(),
    reset: (request) => request.socket.resetAndDestroy(),
    silence: (request) => request.socket.end(),
  };
  for (const [name, listener] of Object.entries(broken)) {
    host.listener = listener;
    const git = await new ScanUnderTest('secrets').begin('git_repository', `http://127.0.0.1:${host.port}/work/.git`);
    assert.deepEqual([name, (await git.run()).retry?.count], [name, 1]);
    const web = await new ScanUnderTest('web').begin('website', `http://127.0.0.1:${host.port}/`);
    assert.deepEqual([name, (await web.run()).retry?.count], [name, 1]);
    host.listener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>');
    await web.request();
    assert.equal((await web.run()).status, 'completed', name);
  }
  await host.down();
});

const page: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>');

/** Serves the first page, and drops the connection of every other request. */
const lostAfterFirstPage: RequestListener = (request, response) =>
  request.url === '/' && !request.headers.origin ? page(request, response) : request.socket.resetAndDestroy();

test('a website that is lost after its first page is visited again, and earlier detections are kept', async () => {
  const host = new Host();
  host.listener = lostAfterFirstPage;
  await host.up();
  const scan = await new ScanUnderTest('web').begin('website', `http://127.0.0.1:${host.port}/`);
  const lost = await scan.run();
  assert.deepEqual([lost.status, lost.retry?.count, lost.warnings], ['running', 1, []]);
  assert.match(lost.retry!.reason, /Requesting the site from another origin failed: .*ECONNRESET/);
  assert.ok(lost.findings.new > 0);
  host.listener = page;
  await scan.request();
  const { status, retry, warnings, findings, closed_nothing_because: because } = await scan.run();
  assert.deepEqual([status, retry, warnings, because?.code], ['completed', null, [], 'nothing_missing']);
  assert.ok(findings.new >= lost.findings.new);
  await host.down();
});

test('a website that is lost after its first page each time is partly checked, with the reason', async () => {
  const host = new Host();
  host.listener = lostAfterFirstPage;
  await host.up();
  const url = `http://127.0.0.1:${host.port}/`;
  const scan = await new ScanUnderTest('web', { retryForMs: 5_000 }).begin('website', url);
  assert.equal((await scan.run()).retry?.count, 1);
  await scan.request();
  const { status, retry, warnings, findings, closed_nothing_because: because } = await scan.run();
  assert.deepEqual([status, retry, because?.code], ['completed', null, 'incomplete']);
  assert.ok(findings.new > 0);
  assert.match(
    warnings[0]!,
    /^Requesting the site from another origin failed: read ECONNRESET\. It was tried 2 times\.$/,
  );
  assert.match(warnings.at(-1)!, /^Requesting files that should not be public failed: read ECONNRESET\.$/);
  const once = await new ScanUnderTest('web', { retryForMs: 0 }).begin('website', url);
  const ended = await once.run();
  assert.deepEqual([ended.status, ended.closed_nothing_because?.code], ['completed', 'incomplete']);
  await host.down();
});

test('a name without an address is looked up again', async () => {
  for (const [source, kind] of [
    ['secrets', 'git_repository'],
    ['web', 'website'],
  ] as const) {
    const scan = await new ScanUnderTest(source).begin(kind, 'http://nowhere.invalid/work.git');
    assert.equal((await scan.run()).retry?.count, 1, source);
  }
});

for (const [what, name, by] of [
  ['git is killed as when memory is short', /^git .*\b(fetch|ls-remote)\b/, 'SIGKILL'],
  ['git is ended by another program', /^git .*\b(fetch|ls-remote)\b/, 'SIGTERM'],
  ['a program that git started is killed', /^\S*git-remote-http/, 'SIGKILL'],
] as const) {
  test(`a scan continues after ${what}`, async () => {
    const host = new Host();
    await host.up();
    const scan = await new ScanUnderTest('secrets').begin('git_repository', `http://127.0.0.1:${host.port}/work/.git`);
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    host.listener = () => resolve();
    const running = scan.run();
    await asked;
    await killGit(name, by);
    const target = await running;
    assert.deepEqual([target.status, target.retry?.count, target.errors], ['running', 1, []]);
    assert.match(target.retry!.reason, /git was killed/);
    host.listener = null;
    await scan.request();
    const completed = await scan.run();
    assert.deepEqual([completed.status, completed.findings.new], ['completed', 1]);
    await host.down();
  });
}

test('a scan that never gets through fails with the reason after a bounded number of attempts', async () => {
  const host = new Host();
  await host.up();
  await host.down();
  const scan = await new ScanUnderTest('web').begin('website', `http://127.0.0.1:${host.port}/`);
  let target = await scan.run();
  for (let attempts = 1; target.status === 'running'; attempts++) {
    assert.deepEqual([target.retry?.count, attempts <= 6], [attempts, true]);
    await scan.request();
    target = await scan.run();
  }
  assert.equal(target.status, 'failed');
  assert.match(target.errors[0]!, /refused the connection.* It was tried 7 times\.$/);
  assert.equal(target.retry, null);
  assert.equal((await scan.scan()).status, 'failed');
});

test('no attempt starts after the time for retries, and without such time a scan fails at once', async () => {
  const host = new Host();
  await host.up();
  await host.down();
  const url = `http://127.0.0.1:${host.port}/`;
  const short = await new ScanUnderTest('web', { retryForMs: 5_000 }).begin('website', url);
  assert.equal((await short.run()).retry?.count, 1);
  await short.request();
  assert.equal((await short.run()).status, 'failed');
  const none = await new ScanUnderTest('web', { retryForMs: 0 }).begin('website', url);
  const { status, errors } = await none.run();
  assert.equal(status, 'failed');
  assert.match(errors[0]!, /refused the connection/);
});

test('a failure that another attempt would not change is final at once', async () => {
  const host = new Host();
  await host.up();
  for (const [code, reason] of [
    [404, /There is no repository/],
    [401, /did not accept the credential/],
    [403, /did not accept the credential/],
  ] as const) {
    host.listener = (_request, response) => response.writeHead(code, { 'WWW-Authenticate': 'Basic' }).end();
    const scan = await new ScanUnderTest('secrets').begin('git_repository', `http://127.0.0.1:${host.port}/work/.git`);
    const { status, errors } = await scan.run();
    assert.deepEqual([code, status], [code, 'failed']);
    assert.match(errors[0]!, reason);
  }
  const refused = await new ScanUnderTest('web').begin('website', 'http://169.254.169.254/');
  assert.equal((await refused.run()).status, 'failed');
  await host.down();
});

test('a scan that pauses can be cancelled, and its job then does nothing', async () => {
  const scan = await new ScanUnderTest('web').begin('website', 'http://nowhere.invalid/');
  await scan.run();
  const { cancelScan } = await import('./queries.ts');
  await testDatabase.database.transaction(scan.orgId, (tx) => cancelScan(tx, scan.orgId, scan.scanId));
  assert.deepEqual([(await scan.run()).status, (await scan.target()).retry], ['cancelled', null]);
});
