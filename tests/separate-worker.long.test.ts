import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { exchange, type Sent } from './harness/exchange.ts';
import { eventually, Run } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';
import { StockPostgres } from './harness/stock-postgres.ts';

const description = `
type: line-counter
name: Line counter
description: Reports nothing.
program: line-counter
version: { arguments: [--version] }
format: sarif
scan:
  git_repository: ["{directory}", "{output}"]
exit_codes: { clean: [0] }
network: none
`;

const program = `#!/bin/sh
if [ "$1" = --version ]; then echo "line-counter 2.5"; exit; fi
echo '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Line counter"}},"results":[]}]}' > "$2"
`;

describe('a worker with its own data directory and programs, started before the API', () => {
  const server = new StockPostgres();
  const repository = new RepositoryFixture('shop');
  const folder = mkdtempSync(join(tmpdir(), 'assay-separate-'));
  const agent = new Agent({ keepAlive: false });
  const runs: Run[] = [];
  let origin = '';
  let token = '';
  let workerOrigin = '';
  const metricsOf = async (from: string) => (await exchange(from, agent, 'GET', '/metrics')).text;
  const linesOf = (run: Run) =>
    run.errors
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  function start(command: 'serve' | 'work', environment: Record<string, string> = {}): Run {
    const directory = join(folder, command);
    const scanners = join(directory, 'data', 'scanners');
    mkdirSync(scanners, { recursive: true });
    writeFileSync(join(scanners, 'line-counter.yaml'), description);
    const run = new Run(
      directory,
      {
        DATABASE_URL: server.url('postgres'),
        ASSAY_SECRET_KEY: 'k'.repeat(40),
        ASSAY_LOCAL_REPOSITORIES: repository.root,
        ...environment,
      },
      command,
    );
    runs.push(run);
    return run;
  }

  async function ask(method: string, path: string, sent: Sent = {}) {
    const headers = { authorization: `Bearer ${token}` };
    return exchange(origin, agent, method, `/api/v1${path}`, { ...sent, headers });
  }

  const findSource = async () =>
    (await ask('GET', '/detection-sources?limit=100')).body.data.find(
      ({ type }: { type: string }) => type === 'line-counter',
    );

  before(async () => {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'line-counter'), program);
    chmodSync(join(folder, 'bin', 'line-counter'), 0o755);
    repository.commit({ 'a.txt': 'a\n' });
    await server.start();
  });
  after(async () => {
    for (const run of runs) await run.stop();
    agent.destroy();
    await server.remove();
    repository.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the API creates the owner and prints the credentials, whichever starts first', async () => {
    const worker = start('work', {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      ASSAY_WORKER_PORT: '0',
      LOG_LEVEL: 'info',
    });
    await eventually(async () => worker.output.includes('is working on jobs'));
    workerOrigin = /"address":"(http:[^"]+)"/.exec(worker.errors)![1]!;
    const api = start('serve', { ASSAY_SLOW_REQUEST_MS: '1', ASSAY_SLOW_STATEMENT_MS: '1', ASSAY_WORKER_PORT: '1' });
    origin = await api.ready();
    token = /asy_[0-9A-Za-z]{40}/.exec(api.output)?.[0] ?? '';
    assert.match(api.output, /owner@assay\.local {2}\S{12,}/);
    assert.equal((await ask('GET', '/profile')).status, 200);
  });

  test('a scanner that only the worker has is connected, with its version, and scans', async () => {
    const { version } = await eventually(async () => {
      const source = await findSource();
      return source.status === 'connected' && source.version !== null && source;
    });
    assert.equal(version, '2.5');
    const config = { url: pathToFileURL(repository.work).href };
    await ask('POST', '/data-sources', { json: { kind: 'git_repository', config } });
    const { status, body } = await ask('POST', '/detection-sources/line-counter/scan');
    assert.equal(status, 202);
    const scan = await eventually(async () => {
      const { body: current } = await ask('GET', `/scans/${body.id}`);
      return current.completed_at !== null && current;
    });
    assert.deepEqual([scan.status, scan.errors], ['completed', []]);
  });

  test('the worker has its own probes and metrics: its heartbeat, its scans, jobs and mails', async () => {
    for (const probe of ['/healthz', '/readyz']) {
      const { status, body } = await exchange(workerOrigin, agent, 'GET', probe);
      assert.deepEqual([status, body], [200, { status: 'ok' }]);
    }
    const text = await metricsOf(workerOrigin);
    assert.match(text, /^assay_scan_duration_seconds_count\{source="line-counter",outcome="completed"\} 1$/m);
    assert.match(text, /^assay_job_duration_seconds_count\{name="scan-target",outcome="done"\} 1$/m);
    assert.match(text, /^assay_mails_total\{outcome="sent"\} 0$/m);
    assert.match(text, /^assay_build_info\{part="worker",version="[^"]+",node="v[^"]+"\} 1$/m);
    assert.ok(Number(/^assay_worker_own_heartbeat_age_seconds (\S+)$/m.exec(text)![1]) < 60);
    const forwarded = { headers: { 'x-forwarded-for': '192.0.2.1' } };
    assert.equal((await exchange(workerOrigin, agent, 'GET', '/metrics', forwarded)).status, 403);
    assert.equal((await exchange(workerOrigin, agent, 'GET', '/api/v1/findings')).status, 404);
    const ofApi = await metricsOf(origin);
    assert.match(ofApi, /^assay_build_info\{part="api"/m);
    assert.doesNotMatch(ofApi, /assay_worker_own_heartbeat/);
  });

  test('slow requests and statements are in the log with their name and organization, and without values', async () => {
    const lines = await eventually(async () => {
      const found = linesOf(runs[1]!);
      const has = (msg: string) => found.some((line) => line.msg === msg && line.orgId);
      return has('slow request') && has('slow statement') && found;
    });
    const request = lines.find(({ msg, orgId }) => msg === 'slow request' && orgId);
    assert.match(request.operation, /^[a-z]+[A-Z]/);
    assert.ok(request.durationMs >= 1 && request.requestId);
    const statement = lines.find(({ msg, orgId }) => msg === 'slow statement' && orgId);
    assert.deepEqual(Object.keys(statement).sort(), ['durationMs', 'level', 'msg', 'orgId', 'statement', 'time']);
  });

  test('SIGUSR2 switches the log level while it runs, and back', async () => {
    const worker = runs[0]!;
    const changes = () => linesOf(worker).filter(({ logLevel }) => logLevel);
    const isDebugging = () => linesOf(worker).at(-1)?.level === 'debug';
    assert.ok(!linesOf(worker).some(({ level }) => level === 'debug'));
    worker.child.kill('SIGUSR2');
    await eventually(async () => changes().length === 1 && isDebugging());
    worker.child.kill('SIGUSR2');
    await eventually(async () => changes().length === 2);
    assert.deepEqual(
      changes().map(({ logLevel }) => logLevel),
      ['debug', 'info'],
    );
    assert.equal(worker.child.exitCode, null);
  });

  test('a database outage writes one or two lines to the log, not one for each request, job and tick', async () => {
    await ask('GET', '/findings');
    const before = runs.map((run) => linesOf(run).length);
    await server.kill();
    await eventually(async () => (await exchange(workerOrigin, agent, 'GET', '/readyz')).status === 503);
    for (let i = 0; i < 40; i++) assert.equal((await ask('GET', '/findings')).status, 503);
    for (const [i, run] of runs.entries()) {
      const lines = linesOf(run).slice(before[i]);
      const failures = lines.filter(({ level, msg }) => ['warn', 'error'].includes(level) && !/^slow/.test(msg));
      assert.ok(failures.length >= 1 && failures.length <= 2, JSON.stringify(failures, null, 1));
    }
    await server.start();
    await eventually(async () => (await exchange(workerOrigin, agent, 'GET', '/readyz')).status === 200);
    await eventually(async () => (await ask('GET', '/findings')).status === 200);
  });

  test('without a worker that has it, the scanner is unavailable', async () => {
    await runs[0]!.stop();
    const { status_reason } = await eventually(async () => {
      const source = await findSource();
      return source.status === 'unavailable' && source;
    });
    assert.match(status_reason, /^Not installed: line-counter was not found/);
    assert.equal((await ask('POST', '/detection-sources/line-counter/scan')).status, 409);
  });
});
