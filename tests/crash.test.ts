import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sample } from '../server/detection/detectors/secrets/sample.ts';
import type { Finding } from './harness/finding-set.ts';
import { eventually, Installation, Run } from './harness/installation.ts';
import { commandOf, isAlive } from './harness/processes.ts';

const stripeKey = (seed: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, seed)}`;
const secretEvery = 25;

/** A repository whose scan takes a while: `commits` files of random lines, with a secret in every twenty-fifth. */
function createBigRepository(directory: string, commits: number): number {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', directory]);
  const filler = Array.from(
    { length: 400 },
    (_, n) => `const token_${n} = load("${sample('a-z', 40, `${n}`)}"); // key password secret`,
  );
  const lines: string[] = [];
  let secrets = 0;
  for (let n = 0; n < commits; n++) {
    const secret = n % secretEvery === 0 ? `STRIPE_KEY=${stripeKey(`secret ${n}`)}` : `nothing ${n}`;
    if (n % secretEvery === 0) secrets++;
    const content = `${n}\n${filler.map((line) => line.replace('load', `load${n}`)).join('\n')}\n${secret}\n`;
    lines.push('commit refs/heads/main', `committer A <a@example.com> ${1_700_000_000 + n} +0000`, 'data 1', 'x');
    lines.push(`M 100644 inline src/file${n}.ts`, `data ${Buffer.byteLength(content)}`, content);
  }
  execFileSync('git', ['-C', directory, 'fast-import', '--quiet'], { input: `${lines.join('\n')}\n`, maxBuffer: 1e9 });
  return secrets;
}

describe('an installation that is killed', () => {
  const repositories = mkdtempSync(join(tmpdir(), 'assay-crash-'));
  const installation = new Installation({ ASSAY_LOCAL_REPOSITORIES: repositories, LOG_LEVEL: 'error' });
  let secrets = 0;
  let dataSourceId = '';

  before(async () => {
    secrets = createBigRepository(join(repositories, 'big'), 250);
    await installation.start();
    const config = { url: pathToFileURL(join(repositories, 'big')).href };
    dataSourceId = (await installation.ask('POST', '/data-sources', { kind: 'git_repository', config })).id;
  });
  after(async () => {
    await installation.remove();
    rmSync(repositories, { recursive: true, force: true });
  });

  const list = async (): Promise<Finding[]> =>
    (await installation.ask('GET', `/findings?limit=200&data_source=${dataSourceId}`)).data;
  const worker = () => installation.run.processes().find((pid) => commandOf(pid).includes('worker-process'));

  /** Starts a scan and waits until it has begun to read. */
  async function startScan(): Promise<string> {
    const { id } = await installation.ask('POST', '/detection-sources/secrets/scan');
    let looks = 0;
    await eventually(async () => {
      const { status, progress } = await installation.ask('GET', `/scans/${id}`);
      if (status === 'running') looks++;
      assert.ok(['queued', 'running'].includes(status), `the scan was too quick to be killed: ${status}`);
      // Progress is reported once a second: a fast machine may be done by then.
      return progress.message !== null || looks > 6;
    });
    return id;
  }

  test('a scan whose worker is killed continues with a new one and finds everything', async () => {
    const id = await startScan();
    process.kill(worker()!, 'SIGKILL');
    const { status, errors } = await installation.ended(id);
    assert.deepEqual([status, errors], ['completed', []]);
    const findings = await list();
    assert.equal(findings.length, secrets);
    assert.ok(findings.every((one) => one.status === 'new'));
  });

  test('a rescan whose worker is killed resolves nothing that still exists', async () => {
    const triaged = (await list()).slice(0, 10).map((one) => one.id);
    await installation.ask('PATCH', '/findings', { ids: triaged, status: 'triaged', tags: ['kept'] });
    // The worker's copy of the repository is lost with it, so that everything is read again.
    rmSync(join(installation.directory, 'data', 'cache'), { recursive: true, force: true, maxRetries: 10 });
    const id = await startScan();
    process.kill(worker()!, 'SIGKILL');
    const { status, findings: tally } = await installation.ended(id);
    assert.deepEqual([status, tally.new, tally.resolved, tally.reopened], ['completed', 0, 0, 0]);
    const findings = await list();
    assert.deepEqual(
      [findings.length, findings.filter((one) => one.status === 'triaged' && one.tags[0] === 'kept').length],
      [secrets, 10],
    );
    assert.ok(findings.every((one) => ['new', 'triaged'].includes(one.status)));
  });

  test('a report whose worker is killed during the snapshot and during rendering is still completed', async () => {
    const { id } = await installation.ask('POST', '/reports', { title: 'Under fire' });
    process.kill(worker()!, 'SIGKILL');
    const report = await eventually(async () => {
      const current = await installation.ask('GET', `/reports/${id}`);
      return current.status !== 'pending' && current;
    });
    assert.deepEqual([report.status, report.summary.total], ['ready', secrets]);
    const ask = () => installation.call('GET', `/reports/${id}/export?format=pdf`);
    const asked = ask();
    const writer = await eventually(async () =>
      installation.run.processes().find((pid) => commandOf(pid).includes('render-process')),
    );
    process.kill(worker()!, 'SIGKILL');
    let response = await asked;
    // On a busy machine, rendering takes longer than a request waits for it.
    while (response.status === 409) response = await ask();
    assert.equal(response.status, 200, response.text);
    assert.match(response.text, /^%PDF-/);
    assert.match(response.text.trimEnd(), /%%EOF$/);
    await eventually(async () => !isAlive(writer));
  });

  /** Comments until the connection fails. Returns the ids of acknowledged comments by finding. */
  async function commentUntilDead(findingId: string, acknowledged: Map<string, string>): Promise<void> {
    for (let n = 0; n < 10_000; n++) {
      try {
        const sent = {
          json: { comment: `${n}` },
          headers: { 'idempotency-key': `${findingId}-${n}-${Math.random()}` },
        };
        const { status, body } = await installation.call('POST', `/findings/${findingId}/comment`, sent);
        if (status === 201) acknowledged.set(body.id, findingId);
      } catch {
        return;
      }
    }
  }

  test('all acknowledged data is there after all processes were killed at once', async () => {
    const findings = (await list()).slice(0, 4);
    const scan = await startScanWithoutCache();
    const acknowledged = new Map<string, string>();
    const writers = findings.map((one) => commentUntilDead(one.id, acknowledged));
    await eventually(async () => acknowledged.size > 100);
    const processes = installation.run.processes();
    assert.ok(processes.some((pid) => commandOf(pid).includes('postgres')));
    installation.run.kill();
    await Promise.all(writers);
    await eventually(async () => processes.every((pid) => !isAlive(pid)));
    await installation.start();
    const kept = new Set<string>();
    for (const { id } of findings) {
      let figure = 0;
      for (let query = 'limit=200'; query !== ''; ) {
        const page = await installation.ask('GET', `/findings/${id}/comment?${query}`);
        for (const comment of page.data) kept.add(comment.id);
        figure += page.data.length;
        query = page.next_cursor ? `limit=200&next_cursor=${page.next_cursor}` : '';
      }
      assert.equal((await installation.ask('GET', `/findings/${id}`)).comment_count, figure);
    }
    assert.deepEqual(
      [...acknowledged.keys()].filter((id) => !kept.has(id)),
      [],
    );
    assert.equal((await installation.ended(scan)).status, 'completed');
    assert.equal((await list()).filter((one) => !['new', 'triaged'].includes(one.status)).length, 0);
  });

  async function startScanWithoutCache(): Promise<string> {
    // A worker that still writes there makes the removal fail, and begin again.
    rmSync(join(installation.directory, 'data', 'cache'), { recursive: true, force: true, maxRetries: 10 });
    return startScan();
  }

  test('while the database is unavailable calls end soon with 503, and succeed when it is back', async () => {
    const [finding] = await list();
    const acknowledged = new Map<string, string>();
    // Depth first: the server comes before the processes that it forked.
    const postmaster = installation.run
      .processes()
      .find((pid) => /postgres(\s|$)/.test(commandOf(pid).split(' -')[0]!));
    assert.ok(postmaster, installation.run.processes().map(commandOf).join('\n'));
    let refused = 0;
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        const started = performance.now();
        const response = await installation.call('POST', `/findings/${finding.id}/comment`, { json: { comment: 'x' } });
        assert.ok(performance.now() - started < 60_000, 'a call must not hang');
        if (response.status === 201) acknowledged.set(response.body.id, finding.id);
        else {
          assert.deepEqual([response.status, response.body.error.code], [503, 'unavailable']);
          assert.match(String(response.headers['retry-after']), /^\d+$/);
          refused++;
        }
      }
    };
    const writers = Promise.all([write(), write(), write()]);
    try {
      await eventually(async () => acknowledged.size > 20);
      process.kill(postmaster, 'SIGKILL');
      await Promise.race([writers, eventually(async () => refused > 0)]);
      const before = acknowledged.size;
      await Promise.race([writers, eventually(async () => acknowledged.size > before + 20)]);
    } finally {
      isOver = true;
    }
    await writers;
    const { comment_count } = await installation.ask('GET', `/findings/${finding.id}`);
    assert.ok(comment_count >= acknowledged.size);
    assert.equal((await installation.scan()).status, 'completed');
  });

  test('a scan that is cancelled in the middle ends at once and closes nothing', async () => {
    const id = await startScanWithoutCache();
    const { status } = await installation.ask('POST', `/scans/${id}/cancel`);
    assert.equal(status, 'cancelled');
    const next = await installation.scan();
    assert.notEqual(next.id, id);
    const { new: fresh, resolved, reopened } = next.findings;
    assert.deepEqual([next.status, fresh, resolved, reopened], ['completed', 0, 0, 0]);
    assert.equal((await installation.ask('GET', `/scans/${id}`)).status, 'cancelled');
  });

  test('a second start on the same directory says what is running, and harms nothing', async () => {
    const second = new Run(installation.directory, installation.environment);
    const { code } = await second.ended;
    assert.equal(code, 1);
    assert.ok(second.errors.includes(installation.origin), second.errors);
    assert.equal((await list()).length, secrets);
    const { status } = await installation.call('PATCH', `/findings/${(await list())[0].id}`, {
      json: { tags: ['after'] },
    });
    assert.equal(status, 200);
  });

  /** Opens a request that lasts until the server ends it. */
  const follow = (method: string, path: string, headers = {}) =>
    new Promise<number>((resolve) => {
      const authorization = `Bearer ${installation.token}`;
      const outgoing = request(
        `${installation.origin}/api/v1${path}`,
        { method, headers: { authorization, ...headers } },
        (response) => {
          response.resume();
          response.on('close', () => resolve(response.statusCode!));
        },
      );
      outgoing.on('error', () => resolve(0));
      outgoing.end();
    });

  test('when stopped it completes accepted requests, leaves no process, and continues the scan at the next start', async () => {
    const id = await startScanWithoutCache();
    const findings = (await list()).slice(0, 6);
    const followers = [
      follow('GET', `/scans/${id}/events`),
      follow('POST', '/detection-sources/secrets/scan', { prefer: 'wait=60' }),
    ];
    const acknowledged = new Map<string, string>();
    const writers = findings.map((one) => commentUntilDead(one.id, acknowledged));
    await eventually(async () => acknowledged.size > 20);
    const processes = installation.run.processes();
    const { run } = installation;
    // Code 0 says that it took less than the 25 seconds after which it ends by force, with 1.
    assert.deepEqual(await run.stop(), { code: 0, signal: null }, run.output + run.errors);
    await Promise.all([...followers, ...writers]);
    await eventually(async () => processes.every((pid) => !isAlive(pid)));
    await installation.start();
    assert.equal((await installation.ended(id)).status, 'completed');
    const figures = await Promise.all(findings.map((one) => installation.ask('GET', `/findings/${one.id}`)));
    const counted = figures.reduce((sum, one) => sum + one.comment_count, 0);
    const before = findings.reduce((sum, one) => sum + one.comment_count, 0);
    assert.ok(counted - before >= acknowledged.size, `${counted} - ${before} < ${acknowledged.size}`);
  });

  test('a scan of a deleted data source stops at once, and its open findings are resolved', async () => {
    const id = await startScanWithoutCache();
    await installation.ask('DELETE', `/data-sources/${dataSourceId}`);
    const { status } = await installation.ended(id);
    assert.ok(['failed', 'cancelled', 'completed', 'partial'].includes(status), status);
    const after = await list();
    assert.equal(after.length, secrets);
    assert.ok(after.every((one) => one.status === 'resolved' && one.resolution === 'data_source_removed'));
    const { data: active } = await installation.ask('GET', '/scans?status=queued,running');
    assert.deepEqual(active, []);
  });
});
