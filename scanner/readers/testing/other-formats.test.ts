import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './formats.fixture.ts';
import * as samples from './other-samples.fixture.ts';

test('KICS: each location is a finding, identified by its similarity id and not by its line', async () => {
  const { all } = await readAll(samples.kicsSample);
  assert.deepEqual(
    all.map((one) => [one.severity, one.location.start_line, one.identifiers]),
    [
      ['high', 5, ['CWE-732']],
      ['high', 25, ['CWE-732']],
    ],
  );
  const moved = JSON.stringify(samples.kicsSample).replace('"line":5', '"line":6');
  assert.equal((await readAll(moved)).all[0]!.fingerprint, all[0]!.fingerprint);
});

test('tfsec: a passed check is not a finding, and a resource that moves stays the same finding', async () => {
  const { all } = await readAll(samples.tfsecSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path]),
    [['x-store-no-public', 'critical', 'src/main.tf']],
  );
});

test('hadolint: the same message on two lines is two findings', async () => {
  assert.deepEqual(
    (await readAll(samples.hadolintSample)).all.map((one) => [one.rule.id, one.location.start_line, one.severity]),
    [
      ['DL3008', 3, 'medium'],
      ['DL3008', 9, 'medium'],
      ['SC2086', 9, 'info'],
    ],
  );
});

test('Brakeman: an ignored warning is an accepted risk with its note', async () => {
  const { all } = await readAll(samples.brakemanSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.identifiers, one.suppression?.reason]),
    [
      ['SQL', ['CWE-89'], undefined],
      ['Redirect', [], 'Only to ourselves'],
    ],
  );
});

test('Snyk: the paths to a package are one finding in each project’s file', async () => {
  const { all } = await readAll(samples.snykSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.location.path, one.severity, one.cvss_score]),
    [
      ['SNYK-JS-DEEP-1', 'web/package-lock.json', 'high', 7.3],
      ['SNYK-JS-DEEP-1', 'api/package-lock.json', 'high', 7.3],
    ],
  );
  assert.deepEqual(
    (await readAll(samples.snykIacSample)).all.map((one) => [one.rule.id, one.location.path]),
    [['SNYK-CC-1', 'main.tf']],
  );
});

test('Snyk: images, and projects that share a file, are distinguished by name; images without their tags', async () => {
  const { vulnerabilities } = samples.snykSample[0]!;
  const image = (path: string) => ({ vulnerabilities, packageManager: 'deb', projectName: 'docker-image|x', path });
  const images = [
    { ...image('shop:1.2'), projectName: 'docker-image|registry.example:5000/shop:1.2' },
    { ...image('api:1.2'), projectName: 'docker-image|registry.example:5000/api:1.2' },
  ];
  const { all } = await readAll(images);
  assert.deepEqual([all.length, all[0]!.evidence], [2, 'app@1.0.0 > a@1 > deep@1.0.0']);
  const [newer] = (await readAll(JSON.stringify(images).replaceAll('shop:1.2', 'shop:1.3'))).all;
  assert.equal(newer!.fingerprint, all[0]!.fingerprint);
  const gradle = ['app', 'lib'].map((name) => ({
    vulnerabilities,
    packageManager: 'gradle',
    displayTargetFile: 'build.gradle',
    projectName: `shop/${name}`,
  }));
  assert.equal((await readAll(gradle)).all.length, 2);
});

test('GitLab: the scanner in the report is the source, for any kind of report', async () => {
  const [secret] = (await readAll(samples.gitlabSample)).all;
  assert.deepEqual(
    [secret!.source, secret!.severity, secret!.location.commit, secret!.evidence],
    ['gitleaks', 'critical', null, '…(redacted)'],
  );
  const numbered = (identifier: object, more: object = {}) => ({
    version: '15.0.0',
    vulnerabilities: [
      { severity: 'Medium', location: { file: 'a.py', start_line: 3 }, identifiers: [identifier], ...more },
    ],
  });
  const bandit = { type: 'bandit_test_id', name: 'Bandit Test ID B308', value: 'B308' };
  const titleOf = async (file: object) =>
    (await readAll(file)).all.map(({ title, rule }) => [title, rule.id, rule.name]);
  const named = 'Bandit: mark safe (B308)';
  assert.deepEqual(await titleOf(numbered(bandit)), [[named, 'B308', named]]);
  const eslint = { type: 'eslint_rule_id', name: 'ESLint rule ID security/detect-eval', value: 'security/detect-eval' };
  assert.deepEqual(await titleOf(numbered(eslint, { name: 'detect_eval', description: 'Code is run. Do not.' })), [
    ['Code is run', 'security/detect-eval', 'Code is run'],
  ]);
  assert.equal((await titleOf(numbered(eslint)))[0]![0], 'ESLint rule ID security/detect-eval');
  const [dependency] = (await readAll(samples.gitlabDependencySample)).all;
  assert.deepEqual(
    [dependency!.source, dependency!.rule.id, dependency!.identifiers],
    ['gemnasium', 'CVE-2099-0202', ['CVE-2099-0202', 'CWE-776']],
  );
  const code = await readAll(samples.gitlabSastSample);
  assert.deepEqual([code.all.length, code.all[0]!.occurrences, code.incomplete.size], [1, 2, 1]);
});

test('ASFF: archived and passed results are not findings, and a suppressed one is an accepted risk', async () => {
  const { all } = await readAll(samples.asffSample);
  assert.deepEqual(
    all.map((one) => [one.source, one.severity, one.suppression?.reason]),
    [
      ['inspector', 'high', undefined],
      ['inspector', 'critical', undefined],
      ['inspector', 'high', 'Not reachable'],
    ],
  );
  assert.equal(all[0]!.location.package!.name, 'zlib');
});

test('OCSF: events that are not findings are skipped, and so are resolved findings', async () => {
  const { all } = await readAll(samples.ocsfSample);
  assert.deepEqual(
    all.map((one) => [one.source, one.severity, one.suppression?.status]),
    [
      ['example-product', 'high', undefined],
      ['example-product', 'critical', 'accepted_risk'],
    ],
  );
  assert.deepEqual([all[0]!.rule.id, all[0]!.cvss_score], ['CVE-2099-0204', 8.1]);
});

test('generic: JSON and CSV have the same fields, and a finding without a required field is refused with its position', async () => {
  const { all, sources } = await readAll(samples.genericSample);
  assert.deepEqual([...sources], ['my-tool']);
  assert.deepEqual(
    all.map((one) => [one.title, one.severity, one.suppression?.reason]),
    [
      ['Weak cipher', 'medium', undefined],
      ['Old library', 'critical', 'Going away'],
      ['Open door', 'low', undefined],
    ],
  );
  const [cipher] = (await readAll(samples.genericCsvSample)).all;
  assert.deepEqual(cipher!.identifiers, ['CWE-327', 'CVE-2099-0205']);
  assert.deepEqual(
    [cipher!.location.path, cipher!.location.start_line],
    [all[0]!.location.path, all[0]!.location.start_line],
  );
  await assert.rejects(readAll('title,severity\nOne,high\nTwo,\n'), /must have a “severity”.*line 3/);
  await assert.rejects(
    readAll({ findings: [{ title: 'x', severity: 'high' }, { severity: 'low' }] }, { format: 'generic' }),
    /must have a “title”.*\$\.findings\[1\]/,
  );
  await assert.rejects(readAll('title,severity\nOne,high\nTwo'), /fewer columns than the first.*line 3/);
  await assert.rejects(readAll('title,severity\n"One,high\n'), /ends too early/);
});
