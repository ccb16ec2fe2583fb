import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { crc32Base62 } from '../scanner/detectors/secrets/checksums.ts';
import { sample } from '../scanner/detectors/secrets/sample.ts';
import type { Finding } from './harness/finding-set.ts';
import { eventually, Installation } from './harness/installation.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './harness/otlp-receiver.ts';
import { RepositoryFixture } from './harness/repository.ts';
import { sarif } from './soak/results.ts';

const run = promisify(execFile);

const githubToken = (seed: string) => {
  const body = sample('0-9A-Za-z', 30, seed);
  return `${'ghp'}_${body}${crc32Base62(body)}`;
};
const stripeKey = (seed: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, seed)}`;

describe('from the first start to triaged findings', () => {
  const repository = new RepositoryFixture('payments');
  const url = pathToFileURL(repository.work).href;
  let collector: OtlpReceiver;
  let installation: Installation;
  let dataSourceId = '';

  before(async () => {
    collector = await startOtlpReceiver();
    installation = new Installation({ ASSAY_LOCAL_REPOSITORIES: repository.root, ...collector.environment });
    repository.commit({ 'README.md': '# Payments\n', 'deploy.env': `GITHUB_TOKEN=${githubToken('one')}\n` }, 'Start');
    repository.commit({ 'pay.env': `STRIPE_KEY=${stripeKey('two')}\n`, 'test.env': `TOKEN=${githubToken('test')}\n` });
    await installation.start();
  });
  after(async () => {
    await installation.remove();
    await collector.close();
    repository.remove();
  });

  const list = async (query = `data_source=${dataSourceId}`): Promise<Finding[]> =>
    (await installation.ask('GET', `/findings?limit=200&${query}`)).data;
  const findingAt = async (path: string): Promise<Finding> => (await list()).find((one) => one.location.path === path)!;
  const dataSource = () => installation.ask('GET', `/data-sources/${dataSourceId}`);

  test('nothing to scan is 409, and an unknown resource is 404', async () => {
    const response = await installation.call('POST', '/detection-sources/secrets/scan');
    assert.deepEqual([response.status, response.body.error.code], [409, 'no_matching_data_source']);
    const unknown = await installation.call('POST', '/detection-sources/nothing/scan');
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
  });

  test('the three commands, pasted as printed, add the sample, scan it and list findings', async () => {
    const commands = installation.run.output.split('\n').filter((line) => line.startsWith('curl '));
    assert.equal(commands.length, 3);
    const responses = [];
    for (const command of commands) {
      const { stdout } = await run('bash', ['-c', command], {
        env: { PATH: process.env.PATH, HOME: installation.directory },
      });
      responses.push(JSON.parse(stdout));
      // On a busy machine the scan may take longer than the command waits.
      if (responses.length === 2) responses[1] = await installation.ended(responses[1].id);
    }
    const [added, scan, findings] = responses;
    assert.equal(added.kind, 'git_repository');
    assert.equal(scan.status, 'completed');
    assert.ok(scan.findings.new >= 5, JSON.stringify(scan.findings));
    assert.equal(findings.data.length, 5);
    assert.ok(findings.data.every((one: Finding) => one.source === 'secrets' && one.data_source.id === added.id));
    await installation.ask('DELETE', `/data-sources/${added.id}`);
  });

  test("a user's own repository is scanned, and each secret is one finding without the secret in it", async () => {
    const added = await installation.ask('POST', '/data-sources', { kind: 'git_repository', config: { url } });
    dataSourceId = added.id;
    assert.equal(added.status, 'never_scanned');
    const scan = await installation.scan();
    assert.deepEqual([scan.status, scan.findings.new, scan.errors], ['completed', 3, []]);
    const findings = await list();
    assert.deepEqual(findings.map((one) => one.location.path).sort(), ['deploy.env', 'pay.env', 'test.env']);
    const whole = await Promise.all(findings.map(({ id }) => installation.ask('GET', `/findings/${id}`)));
    for (const { code, location } of whole)
      assert.match(code.lines[location.start_line - code.start_line], /…\(redacted\)/, location.path);
    const text = JSON.stringify(whole);
    for (const secret of [githubToken('one'), stripeKey('two'), githubToken('test')]) assert.ok(!text.includes(secret));
    const { status, open_findings, last_scanned_at, scanners } = await dataSource();
    assert.deepEqual([status, open_findings, last_scanned_at !== null], ['ok', 3, true]);
    const head = repository.git('rev-parse', 'HEAD');
    const targets = await installation.ask('GET', `/scans/${scan.id}/targets`);
    assert.deepEqual([scanners[0].revision, scanners[0].is_behind, targets.data[0].revision], [head, false, head]);
  });

  test('a missing repository makes the scan fail with a reason, and closes nothing', async () => {
    const before = await list();
    const copy = `${repository.root}/copy`;
    repository.git('clone', '--quiet', repository.work, copy);
    const config = { url: pathToFileURL(copy).href };
    const other = await installation.ask('POST', '/data-sources', { kind: 'git_repository', config });
    rmSync(copy, { recursive: true });
    const partial = await installation.scan();
    assert.equal(partial.status, 'partial');
    assert.deepEqual(
      partial.errors.map((one: Finding) => one.data_source_id),
      [other.id],
    );
    assert.equal((await installation.scan(`?data_source=${other.id}`)).status, 'failed');
    await installation.ask('DELETE', `/data-sources/${other.id}`);
    repository.git('branch', '-m', 'main', 'hidden');
    await installation.ask('PATCH', `/data-sources/${dataSourceId}`, { config: { branch: 'gone' } });
    const failed = await installation.scan();
    assert.equal(failed.status, 'failed');
    assert.match(failed.errors[0].message, /gone/);
    assert.ok(!/\/tmp|fatal|Error:|at .*\.ts/.test(failed.errors[0].message), failed.errors[0].message);
    const { status, status_message } = await dataSource();
    assert.deepEqual([status, status_message], ['failed', failed.errors[0].message]);
    const settled = (one: Finding) => ({ ...one, last_seen_at: '' });
    assert.deepEqual((await list()).map(settled), before.map(settled));
    repository.git('branch', '-m', 'hidden', 'main');
    await installation.ask('PATCH', `/data-sources/${dataSourceId}`, { config: { branch: 'main' } });
    assert.equal((await installation.scan()).status, 'completed');
    assert.equal((await dataSource()).status, 'ok');
  });

  test('a cancelled scan ends at once, and closes nothing', async () => {
    const before = await list();
    const { id } = await installation.ask('POST', '/detection-sources/secrets/scan');
    const cancelled = await installation.call('POST', `/scans/${id}/cancel`);
    // The scan may have ended before it was cancelled.
    if (cancelled.status === 409) assert.equal(cancelled.body.error.code, 'conflict');
    else assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
    const { status } = await installation.ended(id);
    assert.ok(['cancelled', 'completed'].includes(status));
    const next = await installation.scan();
    assert.deepEqual([next.status, next.id === id], ['completed', false]);
    const { status: ended } = await installation.call('POST', `/scans/${next.id}/cancel`);
    assert.equal(ended, 409);
    assert.deepEqual(
      (await list()).map((one) => [one.id, one.status]),
      before.map((one) => [one.id, one.status]),
    );
  });

  test('a deleted data source is gone from lists, and its open findings are resolved', async () => {
    const { id } = await findingAt('test.env');
    await installation.ask('PATCH', `/findings/${id}`, { status: 'false_positive' });
    await installation.ask('DELETE', `/data-sources/${dataSourceId}`);
    assert.equal((await installation.call('GET', `/data-sources/${dataSourceId}`)).status, 404);
    for (const { location, status, resolution } of await list()) {
      const expected = location.path === 'test.env' ? ['false_positive', null] : ['resolved', 'data_source_removed'];
      assert.deepEqual([status, resolution], expected, location.path);
    }
    const response = await installation.call('POST', '/detection-sources/secrets/scan');
    assert.deepEqual([response.status, response.body.error.code], [409, 'no_matching_data_source']);
    const again = await installation.ask('POST', '/data-sources', { kind: 'git_repository', config: { url } });
    assert.notEqual(again.id, dataSourceId);
  });

  test('a request, the process that reads its file, its job and their statements are one trace', async () => {
    const [traceId, caller] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const { body } = await installation.call('POST', '/imports?data_source_name=traced', {
      raw: sarif('Traced', [1, 2, 3]),
      headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${caller}-01` },
    });
    await installation.ended(body.id);
    const named = (name: string) =>
      eventually(async () => collector.spans.find((span) => span.traceId === traceId && span.name === name));
    const [request, read, job] = [
      await named('POST /api/v1/imports'),
      await named('read import'),
      await named('job merge-import'),
    ];
    assert.deepEqual(
      [request, read, job].map(({ service }) => service),
      ['assay-api', 'assay-importer', 'assay-worker'],
    );
    assert.deepEqual([request.parentSpanId, read.parentSpanId], [caller, request.spanId]);
    for (const { spanId } of [request, read, job]) {
      const isStatement = ({ attributes }: ReceivedSpan) => attributes['db.system.name'] === 'postgresql';
      assert.ok(collector.spans.some((span) => span.parentSpanId === spanId && isStatement(span)));
    }
    assert.ok([request, read].some(({ spanId }) => spanId === job.parentSpanId));
  });

  test('no span contains a secret, a token, a title, a path, a search term or an address', async () => {
    await list('q=searched-word');
    await eventually(async () => collector.spans.some(({ name }) => name === 'GET /api/v1/findings'));
    const findings = await list('');
    const hidden = [
      ...[installation.token, githubToken('one'), stripeKey('two'), 'searched-word', '@assay.local', repository.root],
      ...findings.flatMap(({ id, title, location }) => [id, title, location.path]),
    ];
    const sent = collector.bodies.join('\n');
    for (const text of hidden) assert.ok(!sent.includes(text), text);
    assert.ok(collector.spans.length > 100);
  });

  test('it stops on a signal, and leaves nothing running', async () => {
    assert.deepEqual(await installation.run.stop(), { code: 0, signal: null });
  });
});
