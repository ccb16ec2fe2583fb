import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './formats.fixture.ts';
import * as samples from './platform-samples.fixture.ts';

test('detect-secrets: a secret in two files is one finding, and one that the audit rejected is a false positive', async () => {
  const { all } = await readAll(samples.detectSecretsSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.occurrences, one.suppression?.status]),
    [
      ['aws-access-key', 'critical', 2, undefined],
      ['secret-keyword', 'medium', 1, 'false_positive'],
    ],
  );
  const hash = samples.detectSecretsSample.results['app/settings.py'][0]!.hashed_secret;
  assert.ok(!JSON.stringify(all).includes(hash), 'the hash of a weak secret can be looked up');
});

test('GitHub: open alerts of code, dependencies and secrets are findings of their tools', async () => {
  const files = [samples.githubCodeSample, samples.githubDependencySample, samples.githubSecretSample];
  const all = (await Promise.all(files.map((file) => readAll(file)))).flatMap((file) => file.all);
  assert.deepEqual(
    all.map((one) => [one.source, one.severity, one.location.path, one.identifiers[0], one.suppression?.status]),
    [
      ['codeql', 'high', 'src/unzip.ts', 'CWE-22', undefined],
      ['codeql', 'medium', 'src/path.ts', undefined, 'false_positive'],
      ['dependabot', 'high', 'api/requirements.txt', 'GHSA-2222-3333-4444', undefined],
      ['dependabot', 'low', 'package-lock.json', 'GHSA-2222-3333-5555', 'accepted_risk'],
      ['github-secret-scanning', 'critical', 'src/config.ts', 'CWE-798', undefined],
      ['github-secret-scanning', 'high', null, 'CWE-798', undefined],
    ],
  );
  assert.equal(all[1]!.suppression!.reason, 'Dismissed in GitHub: false positive. The name is constant.');
});

test('GitHub: successive pages of alerts and pages in one array are read like one page', async () => {
  const [first, ...others] = samples.githubCodeSample;
  const { all } = await readAll(samples.githubCodeSample);
  assert.deepEqual((await readAll(`${JSON.stringify([first])}${JSON.stringify(others)}`)).all, all);
  assert.deepEqual((await readAll([[first], others])).all, all);
});

test('SonarQube: an open issue is a finding identified by its key, with its type as a tag', async () => {
  const { all, incomplete } = await readAll(samples.sonarqubeSample);
  assert.deepEqual(
    all.map((one) => [one.rule.tags?.[0], one.severity, one.location.path, one.suppression?.status]),
    [
      ['vulnerability', 'critical', 'src/orders.ts', undefined],
      ['code-smell', 'low', 'src/flags.ts', 'false_positive'],
    ],
  );
  assert.deepEqual([all[0]!.location.start_column, all[0]!.identifiers], [7, ['CWE-943']]);
  assert.equal(incomplete.size, 0);
  const moved = JSON.stringify(samples.sonarqubeSample).replaceAll('59', '61');
  assert.equal((await readAll(moved)).all[0]!.fingerprint, all[0]!.fingerprint);
});

test('SonarQube: a page of several closes no findings; a file without issues is recognised', async () => {
  const page = { ...samples.sonarqubeSample, paging: { pageIndex: 1, pageSize: 3, total: 4 } };
  assert.equal((await readAll(page)).incomplete.size, 1);
  const empty = await readAll({ total: 0, paging: { pageIndex: 1, pageSize: 100, total: 0 }, issues: [] });
  assert.deepEqual([empty.format.name, empty.all], ['sonarqube', []]);
});

test('Checkmarx: a result is at the end of its path, the same finding on another line, and suppressed if not exploitable', async () => {
  const { all } = await readAll(samples.checkmarxSample);
  assert.deepEqual(
    all.map((one) => [one.title, one.severity, one.location.path, one.location.start_line, one.identifiers]),
    [
      ['SQL Injection', 'high', 'src/Users.java', 42, ['CWE-89']],
      ['SQL Injection', 'medium', 'src/Old.java', 9, ['CWE-89']],
    ],
  );
  assert.equal(all[1]!.suppression!.reason, 'Not exploitable, says Checkmarx: The value is a number.');
  const moved = (await readAll(samples.checkmarxSample.replaceAll('42', '48'))).all;
  assert.equal(moved[0]!.fingerprint, all[0]!.fingerprint);
});

test('Veracode: open flaws of code and websites and vulnerable components are findings, fixed ones are not', async () => {
  const { all } = await readAll(samples.veracodeSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path ?? one.location.url, one.suppression?.status]),
    [
      ['CWE-89', 'high', 'com/example/Users.java', undefined],
      ['CWE-89', 'medium', 'https://shop.example/search', 'accepted_risk'],
      ['CVE-2099-0601', 'critical', 'shop.war#WEB-INF/lib/example-core-1.0.jar', undefined],
    ],
  );
  const moved = (await readAll(samples.veracodeSample.replace('line="47"', 'line="50"'))).all;
  assert.equal(moved[0]!.fingerprint, all[0]!.fingerprint);
});
