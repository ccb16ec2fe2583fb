import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import { readAll } from '@assay/scanner/readers/testing/formats.fixture.ts';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { reportFinding, reportFindings } from '../report-finding.fixture.ts';
import type { ReportFinding } from '../report-model.ts';
import { writeSarif } from './sarif.ts';
import { writeGithubSarif } from './sarif-github.ts';
import { sarifErrorsIn as errorsIn } from './sarif-schema.fixture.ts';

const write = async (findings: ReportFinding[]) => (await bytesOf(writeSarif(reportOf(findings)))).toString();

for (const count of [0, 1, 200, 3_000]) {
  test(`a report of ${count} findings is valid SARIF with a result for each`, async () => {
    const findings = reportFindings(count);
    const text = await write(findings);
    const log = JSON.parse(text);
    assert.deepEqual(errorsIn(log), []);
    const [run] = log.runs;
    assert.equal(run.results.length, count);
    assert.equal(run.tool.driver.name, 'Assay');
    for (const result of run.results) {
      const { rules, properties } = run.tool.extensions[result.rule.toolComponent.index];
      assert.equal(rules[result.rule.index].id, result.ruleId);
      assert.equal(properties.source, result.properties.source);
    }
    assert.equal(text, await write(findings));
  });
}

const wellFormed = (text: string) => text.toWellFormed();

test('a report that is imported again has the same open and suppressed findings', async () => {
  const findings = reportFindings(400);
  const { all, format, sources } = await readAll(await write(findings));
  assert.equal(format.name, 'sarif');
  assert.deepEqual([...sources], ['assay']);
  const expected = findings.filter((finding) => finding.status !== 'resolved');
  assert.equal(all.length, expected.length);
  assert.equal(new Set(all.map((result) => result.fingerprint)).size, expected.length);
  const suppressed = (status: string) => (['accepted_risk', 'false_positive'].includes(status) ? status : null);
  assert.deepEqual(
    all
      .map((result) => [
        result.severity,
        result.location.path,
        result.location.start_line,
        result.suppression?.status ?? null,
      ])
      .sort(),
    expected
      .map((result) => [result.severity, result.location.path, result.location.start_line, suppressed(result.status)])
      .sort(),
  );
  const titles = new Set(all.map((result) => result.title));
  for (const { title } of expected.filter((result) => result.title.length < 150 && !/\p{Cc}|\s{2}/u.test(result.title)))
    assert.ok(titles.has(wellFormed(title)), title);
});

test('code, flow and fix of a report are the same after it is imported again', async () => {
  const findings = reportFindings(60).filter(({ status, location }) => status !== 'resolved' && location.path !== null);
  const { all } = await readAll(await write(findings));
  const told = ({ location, code, flow, fix }: Pick<Detection, 'location' | 'code' | 'flow' | 'fix'>) =>
    JSON.stringify([location.path, location.start_line, code, flow, fix]);
  assert.ok(findings.some(({ code, flow, fix }) => code && flow && fix));
  assert.deepEqual(all.map((result) => told(result)).sort(), findings.map((finding) => told(finding)).sort());
});

test('findings that differ only in their data source stay separate', async () => {
  const first = reportFinding(0, { status: 'new' });
  const other = { ...first, id: reportFinding(1).id, data_source: reportFinding(1).data_source };
  assert.equal((await readAll(await write([first, other]))).all.length, 2);
});

test('an accepted risk keeps its reason, and its status whatever the reason says', async () => {
  const comment = {
    author: 'Ada',
    created_at: '2026-11-01T00:00:00Z',
    comment: 'No false positive, but we live with it.',
  };
  const { all } = await readAll(await write([reportFinding(6, { status: 'accepted_risk', comments: [comment] })]));
  assert.equal(all[0]!.suppression?.status, 'accepted_risk');
  assert.match(all[0]!.suppression!.reason, /we live with it/);
});

test('a result links to the page of its finding, and the address of the problem is kept for the next import', async () => {
  const location = { ...reportFinding(0).location, path: null, url: 'https://shop.example/login' };
  const finding = reportFinding(0, { status: 'new', location });
  const file = await bytesOf(writeSarif(reportOf([finding]), { baseUrl: 'https://assay.example/' }));
  const [result] = JSON.parse(String(file)).runs[0].results;
  assert.equal(result.hostedViewerUri, `https://assay.example/findings/${finding.id}`);
  assert.equal((await readAll(file)).all[0]!.location.url, location.url);
  const github = await bytesOf(
    writeGithubSarif(reportOf([reportFinding(1, { status: 'new' })]), { baseUrl: 'https://a.example' }),
  );
  assert.match(String(github), /"hostedViewerUri":"https:\/\/a\.example\/findings\/fnd_/);
});

test('an invalid address does not break any URI', async () => {
  const location = { ...reportFinding(0).location, path: null, url: 'http://[half \uD800 | <nothing>' };
  const rule = { id: 'r', name: 'r', url: 'http://x.example/a b|c"\uD800%zz', tags: [] };
  const log = JSON.parse(await write([reportFinding(0, { location, rule, references: ['%'] })]));
  assert.deepEqual(errorsIn(log), []);
});

test('results of rules beyond 8 MiB have only the id of their rule, and can still be read', async () => {
  const description = 'x'.repeat(100_000);
  const findings = reportFindings(400, { hostile: false }).map((finding, index) => ({
    ...finding,
    description,
    remediation: null,
    rule: { id: `rule-${index}`, name: `Rule ${index}`, url: null, tags: [] },
  }));
  const log = JSON.parse(await write(findings));
  assert.deepEqual(errorsIn(log), []);
  const kept = log.runs[0].tool.extensions.flatMap((extension: { rules: unknown[] }) => extension.rules).length;
  assert.ok(kept < 300, `${kept} rules`);
  assert.equal(
    (await readAll(JSON.stringify(log))).all.length,
    findings.filter((result) => result.status !== 'resolved').length,
  );
});
