import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostSources } from '@assay/scanner/readers/host-sources.ts';
import { readAll } from '@assay/scanner/readers/testing/formats.fixture.ts';
import { samples } from '@assay/scanner/readers/testing/samples.fixture.ts';
import { strFromU8, unzipSync } from 'fflate';
import { isOpen } from '../../findings/lifecycle.ts';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { reportFinding, reportFindings } from '../report-finding.fixture.ts';
import type { ReportFinding } from '../report-model.ts';
import { collectRuns } from './sarif-github/collect-runs.ts';
import { githubProblemsIn } from './sarif-github/github-rules.fixture.ts';
import { writeGithubSarif } from './sarif-github.ts';
import { sarifErrorsIn } from './sarif-schema.fixture.ts';
import { Spool } from './spool.ts';

const write = (findings: ReportFinding[], dataSource?: string) =>
  bytesOf(writeGithubSarif(reportOf(findings), dataSource === undefined ? {} : { dataSource }));

/** Returns the SARIF files of an archive by path, and its list of files. */
function unpack(archive: Buffer) {
  const { 'README.txt': list, ...files } = unzipSync(archive);
  return {
    list: strFromU8(list!),
    files: Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes)] as const),
  };
}

function assertAccepted(file: Buffer) {
  assert.deepEqual(sarifErrorsIn(JSON.parse(String(file))), []);
  assert.deepEqual(githubProblemsIn(file), []);
}

const [repository, website] = [reportFinding(0).data_source, reportFinding(3).data_source];
const nowhere = { path: null, start_line: null, end_line: null, start_column: null, end_column: null, commit: null };
const inRepository = (findings: ReportFinding[]) =>
  findings.map((finding) => ({ ...finding, status: 'new' as const, data_source: repository }));
const atNoFile = (changes: Partial<ReportFinding['location']>, others: Partial<ReportFinding> = {}) =>
  reportFinding(0, {
    status: 'new',
    data_source: repository,
    places: [],
    ...others,
    location: { ...nowhere, url: null, package: null, ...changes },
  });

test("GitHub accepts each file of a report on several data sources, with only that data source's open findings", async () => {
  const findings = reportFindings(2_000);
  const archive = await write(findings);
  const { files, list } = unpack(archive);
  const names = new Set(findings.map(({ data_source }) => data_source.name));
  assert.equal(files.length, names.size);
  for (const [path, file] of files) {
    assertAccepted(file);
    const results = JSON.parse(String(file)).runs.flatMap((run: { results: object[] }) => run.results);
    const own = findings.filter(({ data_source, status }) => `${data_source.name}.sarif` === path && isOpen(status));
    assert.equal(results.length, own.length);
    assert.deepEqual(
      results.map(({ properties }: { properties: { finding: string } }) => properties.finding).sort(),
      own.map(({ id }) => id).sort(),
    );
    assert.match(list, new RegExp(`${path}: ${own.length} results`));
  }
  assert.deepEqual(await write(findings), archive);
});

test('a report on a single or chosen data source is a plain SARIF file', async () => {
  const all = reportFindings(300);
  const own = all.filter(({ data_source }) => data_source.id === repository.id);
  const file = await write(own);
  assertAccepted(file);
  assert.deepEqual(
    JSON.parse(String(await write(all, repository.id))).runs[0].results,
    JSON.parse(String(file)).runs[0].results,
  );
});

test('findings without a file and closed findings are left out and counted', async () => {
  const file = await write([
    atNoFile({ url: 'https://www.example.com/login' }),
    reportFinding(1, { status: 'accepted_risk', data_source: repository }),
    reportFinding(2, { status: 'new', data_source: repository }),
  ]);
  assertAccepted(file);
  const [run] = JSON.parse(String(file)).runs;
  assert.equal(run.results.length, 1);
  assert.deepEqual(run.properties.left_out, { without_file: 1, closed: 1 });
  const [{ message }] = run.invocations[0].toolExecutionNotifications;
  assert.equal(message.text, '1 open finding without a file and 1 closed finding left out.');
});

test('findings of hosts are left out, and none of their addresses is in the file', async () => {
  const address = '10.20.30.40';
  const found = [];
  for (const [format, content] of samples.filter(([name]) => hostSources.has(name)))
    for (const { source, title, location } of (await readAll(content, { format })).all) {
      if (location.url !== null || location.path === null) continue;
      assert.ok(hostSources.has(source), source);
      found.push(atNoFile({ path: `${address}:22/tcp` }, { source, title: `${title} on ${address}` }));
    }
  assert.ok(new Set(found.map(({ source }) => source)).size === hostSources.size);
  const text = String(await write(found));
  assert.doesNotMatch(text, new RegExp(address));
  assert.match(text, new RegExp(`${found.length} open findings without a file`));
});

test('a data source without a result has one empty run, which closes the alerts of earlier uploads', async () => {
  const file = await write([atNoFile({ url: 'https://x.example' }, { data_source: website })]);
  assertAccepted(file);
  const { runs } = JSON.parse(String(file));
  assert.deepEqual([runs.length, runs[0].results], [1, []]);
});

test('a package without a file is in its manifest, or in the root of the repository', async () => {
  const affected = { name: 'x', version: '1', fixed_version: null, purl: null };
  const uriOf = async (finding: ReportFinding) => {
    const file = await write([finding]);
    assertAccepted(file);
    return JSON.parse(String(file)).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
  };
  assert.equal(await uriOf(atNoFile({ package: { ...affected, ecosystem: 'npm' } })), 'package.json');
  assert.equal(await uriOf(atNoFile({ package: { ...affected, ecosystem: 'Debian:12' } })), '.');
  assert.equal(await uriOf(atNoFile({}, { data_source: repository })), '.');
  assert.equal(await uriOf(atNoFile({ path: '/app/../src/./a b.ts' })), 'src/a%20b.ts');
  assert.equal(await uriOf(atNoFile({ path: '../../C:/half\uD800.c' })), 'C%3A/half%EF%BF%BD.c');
});

test('a result keeps its fingerprint, rule and category when its lines move and others are closed', async () => {
  const identity = async (findings: ReportFinding[]) => {
    const [run] = JSON.parse(String(await write(findings))).runs;
    const { ruleId, partialFingerprints } = run.results.find(
      ({ properties }: { properties: { finding: string } }) => properties.finding === findings[0]!.id,
    );
    return { ruleId, partialFingerprints, category: run.automationDetails.id.split('/').slice(0, -1) };
  };
  const finding = reportFinding(0, { status: 'new', data_source: repository });
  const moved = { ...finding, location: { ...finding.location, start_line: 900, end_line: 901 } };
  assert.deepEqual(await identity([moved]), await identity([finding, ...inRepository(reportFindings(50)).slice(1)]));
});

test('5,001 results are in two runs with separate categories, neither of which GitHub truncates', async () => {
  const file = await write(inRepository(reportFindings(5_001)));
  assertAccepted(file);
  const { runs } = JSON.parse(String(file));
  assert.deepEqual(
    runs.map((run: { results: object[] }) => run.results.length),
    [5_000, 1],
  );
});

test('another file starts after 20 runs, and when the results take too many bytes', async () => {
  const findings = inRepository(reportFindings(400)).map((finding) => ({ ...finding, flow: null }));
  for (const [limits, files] of [
    [{ runs: 20, results: 10, bytes: 1e9 }, [20, 20]],
    [{ runs: 20, results: 5_000, bytes: 5_000 }, [1, 1, 1]],
  ] as const) {
    await using spool = new Spool();
    const [found] = (await collectRuns(reportOf(findings), spool, { limits })).values();
    assert.deepEqual(
      found!.files.map((runs) => runs.length),
      files,
    );
    const counts = found!.files.flat().map(({ count }) => count);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      findings.length,
    );
  }
});
