import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { exchange, type Sent } from './harness/application.ts';
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

describe('a worker with a data directory and programs of its own, started before the API', () => {
  const server = new StockPostgres();
  const repository = new RepositoryFixture('shop');
  const folder = mkdtempSync(join(tmpdir(), 'assay-separate-'));
  const agent = new Agent({ keepAlive: false });
  const runs: Run[] = [];
  let origin = '';
  let token = '';

  function start(command: 'serve' | 'work', environment: Record<string, string> = {}): Run {
    const directory = join(folder, command);
    mkdirSync(directory, { recursive: true });
    const run = new Run(
      directory,
      {
        DATABASE_URL: server.url('postgres'),
        ASSAY_SECRET_KEY: 'k'.repeat(40),
        ASSAY_TOOLS: join(folder, 'tools'),
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
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'tools', 'line-counter.yaml'), description);
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
    const worker = start('work', { PATH: `${join(folder, 'bin')}:${process.env.PATH}` });
    await eventually(async () => worker.output.includes('is working on jobs'));
    const api = start('serve');
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
