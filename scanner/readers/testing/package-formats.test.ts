import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './formats.fixture.ts';
import * as samples from './package-samples.fixture.ts';

test('Trivy: packages, misconfigurations, secrets and severe licenses are findings; passed checks are not', async () => {
  const { all } = await readAll(samples.trivySample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path]),
    [
      ['CVE-2099-0001', 'low', null],
      ['CVE-2099-0002', 'critical', 'app/package-lock.json'],
      ['CVE-2099-0003', 'info', 'app/package-lock.json'],
      ['AVD-DS-0002', 'high', 'Dockerfile'],
      ['some-key', 'critical', 'settings.env'],
      ['license:AGPL-3.0', 'high', 'Node.js'],
    ],
  );
  assert.deepEqual(all[0]!.location.package, {
    ecosystem: 'deb',
    name: 'libexample',
    version: '1.2-1',
    fixed_version: '1.2-2',
    purl: 'pkg:deb/debian/libexample@1.2-1',
  });
  assert.equal(all[0]!.cvss_score, 7.5);
});

test('Trivy: a cluster has a finding for each resource, and a resource that could not be scanned closes no findings', async () => {
  const { all, incomplete } = await readAll(samples.trivyClusterSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.location.path]),
    [
      ['CVE-2099-0001', 'shop/Deployment/web'],
      ['KSV001', 'shop/Deployment/web'],
      ['CVE-2099-0001', 'blog/Deployment/web'],
      ['KSV001', 'blog/Deployment/web'],
    ],
  );
  assert.equal(incomplete.size, 0);
  const failed = { ClusterName: 'kind', Findings: [{ Kind: 'Pod', Name: 'web', Error: 'no access to the image' }] };
  assert.equal((await readAll(failed)).incomplete.size, 1);
});

test('Trivy: another tag of the image creates no new findings for its system packages', async () => {
  const [system] = samples.trivySample.Results;
  const tagged = { ...samples.trivySample, Results: [{ ...system, Target: 'shop:1.5 (debian 12.6)' }] };
  assert.equal((await readAll(tagged)).all[0]!.fingerprint, (await readAll(samples.trivySample)).all[0]!.fingerprint);
});

test('Grype: aliases, scores and descriptions come from related records, and the location is the first path by name', async () => {
  const [first, second] = (await readAll(samples.grypeSample)).all;
  assert.deepEqual(first!.identifiers, ['GHSA-2222-3333-4444', 'CVE-2099-0004']);
  assert.equal(first!.cvss_score, 8.8);
  assert.equal(first!.location.path, 'srv/a/requirements.txt');
  assert.deepEqual([second!.severity, second!.location.path], ['info', null]);
});

test('OSV-Scanner: a group of advisories is one finding with all its names and the highest severity', async () => {
  const { all } = await readAll(samples.osvSample);
  const [folded, unrated, malicious] = all;
  assert.equal(all.length, 3);
  assert.equal(folded!.rule.id, 'CVE-2099-0006');
  assert.deepEqual(folded!.identifiers, ['CVE-2099-0006', 'GHSA-5555-6666-7777', 'PYSEC-2099-7', 'CWE-444']);
  assert.deepEqual([folded!.severity, folded!.cvss_score], ['high', 9.8]);
  assert.equal(folded!.location.package!.fixed_version, '2.4');
  assert.equal(unrated!.severity, 'low');
  assert.equal(malicious!.severity, 'critical');
});

test('npm audit: an advisory is a finding of the affected package, not of its dependents', async () => {
  const { all } = await readAll(samples.npmSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.location.package!.name, one.severity]),
    [['GHSA-8888-9999-cccc', 'deep', 'medium']],
  );
  assert.match(all[0]!.remediation!, /Update framework to 9\.0\.0 \(a breaking change\)/);
});

test('npm audit before version 7: each installed version is a location of one finding', async () => {
  const { all } = await readAll(samples.oldNpmSample);
  assert.deepEqual(
    all.map(({ occurrences, places }) => [occurrences, places.map(({ version }) => version)]),
    [[2, ['1.0.0', '1.1.0']]],
  );
  assert.deepEqual(all[0]!.identifiers, ['CVE-2099-0008', 'CWE-1321']);
});

test('pip-audit: skipped packages prevent the import from closing findings', async () => {
  assert.equal((await readAll(samples.pipSample)).incomplete.size, 0);
  const skipped = { dependencies: [...samples.pipSample.dependencies, { name: 'own', skip_reason: 'not on PyPI' }] };
  assert.equal((await readAll(skipped)).incomplete.size, 1);
});

test('cargo audit: vulnerabilities by the score of their vector, warnings below them, with the fixed version', async () => {
  const { all, sources } = await readAll(samples.cargoAuditSample);
  assert.deepEqual([...sources], ['cargo-audit']);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.cvss_score, one.location.package?.fixed_version, one.title]),
    [
      [
        'RUSTSEC-2099-0001',
        'critical',
        9.8,
        '1.2.3',
        'RUSTSEC-2099-0001 in parser-thing 1.2.0: Parsing reads beyond the end',
      ],
      ['RUSTSEC-2099-0002', 'info', null, null, 'RUSTSEC-2099-0002 in old-thing 0.1.0: old-thing is unmaintained'],
      ['yanked', 'info', null, null, 'yanked in bad-thing 2.0.0: The version was yanked by its authors'],
    ],
  );
  assert.deepEqual(all[0]!.identifiers, ['RUSTSEC-2099-0001', 'CVE-2099-0011']);
});

test('govulncheck: an advisory that was only looked up is not a finding; called code is more severe than required modules', async () => {
  const { all } = await readAll(samples.govulncheckSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path]),
    [['GO-2099-0001', 'high', 'main.go']],
  );
  const required = samples.govulncheckSample.slice(0, samples.govulncheckSample.lastIndexOf('\n{'));
  const [module] = (await readAll(required)).all;
  assert.deepEqual([module!.severity, module!.location.path], ['low', null]);
  assert.equal(module!.fingerprint, all[0]!.fingerprint);
});

test('CycloneDX: nested components are found, the source’s own rating counts, VEX decides what is open', async () => {
  const { all, sources } = await readAll(samples.bomSample);
  assert.deepEqual([...sources], ['example-scanner']);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.location.package!.name, one.severity, one.suppression?.status]),
    [
      ['CVE-2099-0011', 'org.example/first', 'medium', undefined],
      ['CVE-2099-0011', 'second', 'medium', undefined],
      ['CVE-2099-0012', 'org.example/first', 'medium', 'false_positive'],
      ['CVE-2099-0014', 'elsewhere', 'high', 'accepted_risk'],
    ],
  );
  assert.match(all[2]!.suppression!.reason, /code not reachable: Never called/);
});

test('CycloneDX: a standalone VEX file creates and closes no findings, and says so', async () => {
  const affects = [{ ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#pkg:npm/first@1.0.0' }];
  const said = (state: string, id: string) => ({ id, affects, analysis: { state } });
  const vulnerabilities = [said('not_affected', 'CVE-2099-0021'), said('exploitable', 'CVE-2099-0022')];
  const vex = { bomFormat: 'CycloneDX', specVersion: '1.6', vulnerabilities };
  const { all, incomplete } = await readAll(JSON.stringify(vex));
  assert.deepEqual(all, []);
  assert.match([...incomplete].join(), /^2 analyses of vulnerabilities of another bill of materials \(VEX\)/);
});

test('CycloneDX: XML and JSON have the same findings', async () => {
  const [xml] = (await readAll(samples.xmlBomSample)).all;
  const [json] = (await readAll(samples.bomSample)).all;
  assert.equal(xml!.fingerprint, json!.fingerprint);
  assert.equal(xml!.description, 'Scripts <are> run.');
});
