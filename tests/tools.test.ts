import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually, HostedInstallation } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

/**
 * An operator's own scanner: one result for each line of `report.txt`; a line that starts with # is an accepted risk.
 */
const scanner = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs');
const [directory, output] = process.argv.slice(2);
if (directory === '--version') { console.log('report-reader 3.1'); process.exit(); }
const lines = readFileSync(directory + '/report.txt', 'utf8').split('\\n').filter(Boolean);
if (lines[0] === 'crash') process.exit(70);
const results = lines.map((line) => ({
  ruleId: line.replace('#', ''),
  message: { text: line },
  locations: [{ physicalLocation: { artifactLocation: { uri: directory + '/report.txt' }, region: { startLine: 1 } } }],
  ...(line.startsWith('#') && { suppressions: [{ kind: 'inSource', justification: 'We live with it.' }] }),
}));
writeFileSync(output, JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Report reader' } }, results }] }));
`;

const description = `
type: report-reader
name: Report reader
description: Reads reports.
program: ./report-reader
version: { arguments: [--version] }
format: sarif
scan:
  git_repository: ["{directory}", "{output}"]
exit_codes: { clean: [0] }
network: none
`;

const missing = description.replace('type: report-reader', 'type: lost-tool').replace('./report-reader', 'lost-tool');

describe('other people’s scanners, from a file in a folder to findings', () => {
  // Everything that the installation uses is in folders with blanks in their names.
  const repository = new RepositoryFixture('our shop');
  const data = mkdtempSync(join(tmpdir(), 'our data-'));
  const folder = join(data, 'of this place', 'scanners');
  mkdirSync(folder, { recursive: true });
  const installation = new HostedInstallation({
    ASSAY_LOCAL_REPOSITORIES: repository.root,
    ASSAY_DATA_DIR: join(data, 'of this place'),
  });
  let dataSourceId = '';
  const scan = () => installation.scan(`?data_source=${dataSourceId}`, 'report-reader');
  const listFindings = async (status: string) =>
    (await installation.ask('GET', `/findings?source=report-reader&status=${status}&limit=200`)).data;
  const findSource = async (type: string) =>
    (await installation.ask('GET', '/detection-sources?limit=100')).data.find(
      (one: { type: string }) => one.type === type,
    );

  before(async () => {
    writeFileSync(join(folder, 'report-reader'), scanner);
    chmodSync(join(folder, 'report-reader'), 0o755);
    writeFileSync(join(folder, 'report-reader.yaml'), description);
    writeFileSync(join(folder, 'lost.yml'), missing);
    writeFileSync(join(folder, 'wrong.yaml'), 'type: wrong\n');
    await installation.start();
    const config = { url: pathToFileURL(repository.work).href };
    const created = await installation.ask('POST', '/data-sources', { name: 'shop', kind: 'git_repository', config });
    dataSourceId = created.id;
  });
  after(async () => {
    await installation.remove();
    rmSync(data, { recursive: true, force: true });
    repository.remove();
  });

  const lines = (count: number) => Array.from({ length: count }, (_, index) => `problem-${index}`);

  test('described and installed tools are connected; missing or wrongly described ones are reported', async () => {
    // A program's version may only be known a little later than the first response.
    const { status, mode, version, data_source_kinds } = await eventually(async () => {
      const source = await findSource('report-reader');
      return source.version !== null && source;
    });
    assert.deepEqual({ status, mode, version }, { status: 'connected', mode: 'scan', version: '3.1' });
    assert.deepEqual(data_source_kinds, ['git_repository']);
    const lost = await findSource('lost-tool');
    assert.equal(lost.status, 'unavailable');
    assert.match(lost.status_reason, /^Not installed: lost-tool was not found/);
    assert.equal(lost.install_command, null);
    const grype = await findSource('grype');
    assert.deepEqual([grype.status, grype.install_command], ['unavailable', 'npx assay tools install grype']);
    assert.match(grype.status_reason, /"npx assay tools install grype" installs it\.$/);
    const refused = await installation.call('POST', '/detection-sources/lost-tool/scan');
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'detection_source_unavailable']);
    assert.match(
      installation.run.errors,
      /description of a tool is skipped[^\n]*wrong\.yaml: [^\n]*required properties/,
    );
    assert.equal(await findSource('wrong'), undefined);
  });

  test('its results become findings, with accepted risks as such', async () => {
    repository.commit({ 'report.txt': [...lines(30), '#accepted'].join('\n') });
    const { status, findings, errors } = await scan();
    assert.deepEqual([status, findings.new, errors], ['completed', 31, []]);
    const [accepted] = await listFindings('accepted_risk');
    assert.deepEqual([accepted.rule.id, accepted.location.path], ['accepted', 'report.txt']);
    assert.equal((await listFindings('new')).length, 30);
  });

  test('a run that failed closes nothing, and says so', async () => {
    repository.commit({ 'report.txt': 'crash' });
    const { status, errors, findings } = await scan();
    assert.deepEqual([status, findings.resolved], ['failed', 0]);
    assert.match(errors[0].message, /Report reader failed: it ended with exit code 70\. Nothing was closed\./);
    assert.equal((await listFindings('new')).length, 30);
  });

  test('a successful run closes findings that it no longer reports, and sudden silence is reported', async () => {
    repository.commit({ 'report.txt': lines(29).join('\n') });
    const less = await scan();
    // One of the new ones, and the accepted risk.
    assert.deepEqual([less.status, less.findings.resolved, less.warnings], ['completed', 2, []]);
    repository.commit({ 'report.txt': '' });
    const silent = await scan();
    assert.deepEqual([silent.status, silent.findings.resolved], ['completed', 29]);
    assert.match(silent.warnings[0].message, /Report reader reported 29 fewer than before/);
  });

  test('results of a scanner that is not installed can be imported', async () => {
    const file = {
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Lost Tool' } }, results: [{ ruleId: 'r', message: { text: 'r' } }] }],
    };
    const sent = await installation.ask('POST', `/data-sources/${dataSourceId}/imports?format=sarif`, file);
    await installation.ended(sent.id ?? sent.scan.id);
    const source = await findSource('lost-tool');
    assert.deepEqual([source.mode, source.status, source.open_findings], ['push', 'connected', 1]);
    const refused = await installation.call('POST', '/detection-sources/lost-tool/scan');
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'scan_not_supported']);
  });

  test('the API serves the metrics of the worker beside it, and a signal reaches the log of both', async () => {
    const text = await (await fetch(`${installation.origin}/metrics`)).text();
    assert.match(text, /^assay_import_duration_seconds_count\{outcome="completed"\} 1$/m);
    assert.match(text, /^assay_scan_duration_seconds_count\{source="report-reader",outcome="failed"\} \d+$/m);
    assert.match(text, /^assay_worker_own_heartbeat_age_seconds \d/m);
    const types = text.match(/^# TYPE \S+/gm)!;
    assert.equal(new Set(types).size, types.length, 'each metric is served once');
    const { run } = installation;
    run.child.kill('SIGUSR2');
    // Only the worker claims scans, and only the API starts them.
    await scan();
    await eventually(async () =>
      ['scan_target_claim', 'scan_insert'].every((name) => run.errors.includes(`"statement":"${name}"`)),
    );
    run.child.kill('SIGUSR2');
  });
});
