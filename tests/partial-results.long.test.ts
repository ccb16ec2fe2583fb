import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serveSite } from '../scanner/detectors/web/site.fixture.ts';
import type { Finding } from './harness/finding-set.ts';
import {
  addCopy,
  factsOf,
  importFile,
  installation,
  repository,
  scanByServer,
  scanHere,
  startOwnResults,
  stopOwnResults,
  stripe,
  whole,
} from './own-results.fixture.ts';

before(startOwnResults);
after(stopOwnResults);

test('a website scanned from the command line has the findings that the server finds, both ways', async () => {
  await using server = await serveSite((_request, response) => {
    response.setHeader('set-cookie', 'session=1; path=/');
    response.writeHead(200, { 'content-type': 'text/html', server: 'Apache/2.4.41' }).end('<title>Shop</title>');
  });
  const url = `http://127.0.0.1:${new URL(server.url).port}/`;
  const add = () => installation.ask('POST', '/data-sources', { kind: 'website', config: { url } });
  for (const format of ['--json', '--format=sarif', '--format=json']) {
    const report = await scanHere(url, '--source', 'web', format);
    const { id } = await add();
    const sent = await importFile(id, report);
    assert.ok(sent.findings.new > 3);
    const before = await factsOf(id, ['web']);
    const scan = await installation.scan(`?data_source=${id}`, 'web');
    assert.deepEqual([scan.findings.new, scan.findings.resolved], [0, 0]);
    const again = await importFile(id, report);
    assert.deepEqual([again.findings.new, again.findings.resolved], [0, 0]);
    assert.deepEqual(await factsOf(id, ['web']), before);
    await installation.ask('DELETE', `/data-sources/${id}`);
  }
});

const warningsOf = (scan: { warnings: Array<{ message: string }> }) =>
  scan.warnings.map(({ message }) => message).join('\n');

/** Adds an upload with all results of the command line, and returns the number of its open findings. */
async function addSent(name: string) {
  const { id } = await installation.ask('POST', '/data-sources', { kind: 'upload', name });
  await importFile(id, await scanHere('--format', 'sarif'));
  const open = async (): Promise<string[]> => {
    const { data } = await installation.ask('GET', `/findings?data_source=${id}&status=new&limit=200`);
    return data.map(({ source, location }: Finding) => `${source} ${location.path}`).sort();
  };
  return { id, open };
}

test('a partial scan closes no finding that it did not cover, and the import says so', async () => {
  const { id, open } = await addSent('part');
  const before = await open();
  const shallow = join(repository.root, 'shallow');
  const emptied = join(repository.root, 'emptied');
  repository.git('clone', '--quiet', '--depth', '1', pathToFileURL(repository.work).href, shallow);
  repository.git('clone', '--quiet', repository.work, emptied);
  for (const name of ['app', 'web', 'more', 'tests', 'spec']) rmSync(join(emptied, name), { recursive: true });
  for (const name of ['Dockerfile', 'pay.env', 'accepted.txt']) rmSync(join(emptied, name));
  const parts: Array<[reason: RegExp, commandLine: string[]]> = [
    [/Only changes were scanned/, ['--diff', 'HEAD']],
    [/Only a folder of the repository was scanned/, [join(repository.work, 'more')]],
    [/Only one file was scanned/, [join(repository.work, 'pay.env')]],
    [/shallow clone/, [shallow, '--source', 'secrets']],
  ];
  for (const [index, [reason, commandLine]] of parts.entries()) {
    const report = await scanHere(...commandLine, index % 2 === 0 ? '--json' : '--format=sarif');
    const scan = await importFile(id, report);
    assert.equal(scan.findings.resolved, 0, String(reason));
    assert.match(warningsOf(scan), reason);
    const path = `/data-sources/${id}/imports?close_missing=true&dry_run=true`;
    const { body } = await installation.call('POST', path, { raw: report });
    assert.equal(body.findings.resolved, 0);
    assert.match(body.incomplete.join(), reason);
  }
  const array = await importFile(id, await scanHere(emptied, '--format', 'json'));
  assert.equal(array.findings.resolved, 0);
  assert.match(warningsOf(array), /does not say what the scan covered/);
  assert.deepEqual(await open(), before);

  // Findings of a file that can no longer be read stay open; those of removed files are resolved.
  writeFileSync(join(emptied, 'Dockerfile'), Buffer.alloc(40 * 1024 ** 2, 'FROM x\n'));
  const rest = await importFile(id, await scanHere(emptied, '--format', 'sarif'));
  assert.match(warningsOf(rest), /infrastructure: Dockerfile could not be checked/);
  const left = await open();
  assert.deepEqual(
    left.filter((name) => name.startsWith('infrastructure')),
    before.filter((name) => name.startsWith('infrastructure')),
  );
  assert.deepEqual(
    left.filter((name) => name.startsWith('code')),
    [],
  );
  assert.ok(rest.findings.resolved > 0);
});

test('a file that claims to be from Assay changes no finding of the server itself, and closes only those that it may', async () => {
  const dataSourceId = await addCopy('claimed');
  await scanByServer(dataSourceId);
  const before = await factsOf(dataSourceId);
  const report = JSON.parse(await scanHere('--json', ...whole));
  for (const finding of report.findings) {
    finding.title = 'Nothing to see';
    finding.severity = 'info';
    finding.status = 'accepted_risk';
    finding.evidence = `key = "${stripe('forged')}"`;
  }
  const { findings } = await importFile(dataSourceId, JSON.stringify(report), '');
  assert.deepEqual([findings.new, findings.resolved], [0, 0]);
  assert.deepEqual(await factsOf(dataSourceId), before);
  report.findings[0].fingerprint = `v1:${'x'.repeat(22)}`;
  const added = await importFile(dataSourceId, JSON.stringify({ ...report, coverage: [] }));
  assert.deepEqual([added.findings.new, added.findings.resolved], [1, 0]);
  const forged = (await factsOf(dataSourceId)).find(({ title }) => title === 'Nothing to see')!;
  assert.equal(forged.status, 'accepted_risk');
  assert.match(forged.evidence, /redacted/);
});
