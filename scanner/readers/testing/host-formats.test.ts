import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './formats.fixture.ts';
import * as samples from './host-samples.fixture.ts';

test('Qualys: a QID is one finding per host and port, with its texts from the glossary; fixed ones are not findings', async () => {
  const { all } = await readAll(samples.qualysSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path, one.cvss_score]),
    [
      ['QID-900201', 'medium', 'db.example:22/tcp', 5.9],
      ['QID-900201', 'medium', 'db.example:2222/tcp', 5.9],
      ['QID-900202', 'critical', 'db.example', null],
      ['QID-900203', 'info', 'db.example', null],
    ],
  );
  assert.equal(all[0]!.description, 'Short keys are offered.\nThey can be broken.\n\nTraffic can be read.');
  assert.deepEqual([all[0]!.identifiers, all[0]!.evidence], [['CVE-2099-0701'], 'ssh-dss 1024 bits']);
  assert.match(all[2]!.description, /could not confirm/);
});

test('Qualys: a result is the same finding in the report, its CSV, the API and a scan of a named host', async () => {
  const [report] = (await readAll(samples.qualysSample)).all;
  for (const content of [samples.qualysCsvSample, samples.qualysApiSample]) {
    const { all } = await readAll(content);
    assert.deepEqual([all[0]!.fingerprint, all[0]!.severity], [report!.fingerprint, 'medium']);
  }
  assert.equal((await readAll(samples.qualysCsvSample)).all.length, 1);
  const byAddress = samples.qualysSample.replace('>DNS</TRACKING', '>IP</TRACKING');
  const [scanned] = (await readAll(samples.qualysScanSample)).all;
  assert.equal(scanned!.fingerprint, (await readAll(byAddress)).all[0]!.fingerprint);
});

test('Qualys: ignored or approved results keep that decision, and one page of the API closes no findings', async () => {
  const api = await readAll(samples.qualysApiSample);
  assert.deepEqual([api.all[1]!.severity, api.all[1]!.suppression?.status], ['low', 'accepted_risk']);
  const [approved] = (await readAll(samples.qualysPciSample)).all;
  assert.deepEqual([approved!.severity, approved!.suppression?.status], ['medium', 'false_positive']);
  const page = samples.qualysApiSample.replace('</RESPONSE>', '<WARNING><CODE>1980</CODE></WARNING></RESPONSE>');
  assert.equal((await readAll(page)).incomplete.size, 1);
  await assert.rejects(readAll(samples.qualysCsvSample.replace(',"22",', ',')), /more or fewer columns.*line 4/);
  await assert.rejects(readAll('a,b\n1,2\n', { format: 'qualys' }), /has no column “ip”/);
});

test('Qualys WAS: each parameter of an address is a finding, with any probe', async () => {
  const { all, sources } = await readAll(samples.qualysWasSample);
  assert.deepEqual([...sources], ['qualys-was']);
  assert.deepEqual(
    all.map((one) => [one.title, one.severity, one.identifiers[0], one.suppression?.status]),
    [
      ['Cross-site scripting at https://shop.example/search', 'critical', 'CWE-79', undefined],
      ['Cross-site scripting at https://shop.example/search', 'critical', 'CWE-79', 'accepted_risk'],
      ['Links at Shop', 'info', undefined, undefined],
    ],
  );
  const probed = samples.qualysWasSample.replaceAll('onload', 'onerror');
  assert.equal((await readAll(probed)).all[0]!.fingerprint, all[0]!.fingerprint);
});

test('Nexpose: a vulnerability is a finding of its host and port, in XML as in CSV; exceptions are accepted', async () => {
  const { all } = await readAll(samples.nexposeSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path, one.suppression?.status]),
    [
      ['unix-user-home-dir-mode', 'low', '192.0.2.9', undefined],
      ['dns-allows-cache-snooping', 'high', '192.0.2.9:53/udp', undefined],
      ['dns-amplification', 'low', '192.0.2.9:53/udp', 'accepted_risk'],
    ],
  );
  assert.match(all[0]!.evidence!, /ana.*\n.*ben/);
  assert.deepEqual(
    [all[1]!.identifiers, all[1]!.references, all[1]!.remediation, all[1]!.cvss_score],
    [['CVE-2099-0801'], ['https://example.com/dns'], 'Restrict it.', 5],
  );
  const ofCsv = (await readAll(samples.nexposeCsvSample)).all;
  assert.deepEqual([ofCsv.length, ofCsv[0]!.fingerprint, ofCsv[0]!.severity], [2, all[1]!.fingerprint, 'high']);
});

test('ScoutSuite: each flagged resource is a finding of its rule, in the script as in its JSON', async () => {
  const { all } = await readAll(samples.scoutsuiteSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.places[0]!.path?.slice(0, 20), one.rule.tags]),
    [
      [
        'ec2-security-group-opens-SSH-port-to-all',
        'high',
        'ec2.regions.eu-west-',
        ['EC2', 'CIS Amazon Web Services Foundations 1.2.0 4.1'],
      ],
      [
        'ec2-security-group-opens-SSH-port-to-all',
        'high',
        'ec2.regions.eu-west-',
        ['EC2', 'CIS Amazon Web Services Foundations 1.2.0 4.1'],
      ],
      ['s3-bucket-no-logging', 'medium', 's3.buckets.shop.logg', ['S3']],
    ],
  );
  assert.deepEqual((await readAll(samples.scoutsuiteJsonSample)).all, all);
  const reordered = samples.scoutsuiteSample.replace('cidrs.0', 'cidrs.3');
  assert.equal((await readAll(reordered)).all[0]!.fingerprint, all[0]!.fingerprint);
  const otherPort = samples.scoutsuiteSample.replace('ports.22.cidrs.0', 'ports.23.cidrs.0');
  assert.notEqual((await readAll(otherPort)).all[0]!.fingerprint, all[0]!.fingerprint);
  await assert.rejects(readAll('scoutsuite_results =\n{"account_id": ]'), /line 2/);
});

test('Defender for Cloud: an unhealthy assessment is a finding of its resource, in CSV as in JSON', async () => {
  const { all, incomplete } = await readAll(samples.defenderSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.identifiers, one.cvss_score]),
    [
      ['cdc78c07-02b0-4af0-1cb2-cb7c672a8b0a', 'medium', [], null],
      ['178123', 'high', ['CVE-2099-0901'], 8.1],
    ],
  );
  assert.equal(incomplete.size, 0);
  assert.equal((await readAll({ ...samples.defenderSample, nextLink: 'https://more' })).incomplete.size, 1);
  const ofCsv = (await readAll(samples.defenderCsvSample)).all;
  assert.deepEqual([ofCsv.length, ofCsv[0]!.fingerprint], [1, all[0]!.fingerprint]);
  const flat = samples.defenderSample.value.map(({ properties, ...item }) => ({ ...item, ...properties, id: item.id }));
  assert.equal((await readAll(flat)).all[0]!.fingerprint, all[0]!.fingerprint);
});

test('Wiz: an issue is a finding of its control and resource, a vulnerability is one of its package on each asset', async () => {
  const issues = (await readAll(samples.wizSample)).all;
  assert.deepEqual(
    issues.map((one) => [one.title, one.rule.id, one.severity, one.suppression?.reason]),
    [
      ['Role with wildcards: support', 'ctl-1', 'info', undefined],
      ['Public bucket: docs', 'ctl-2', 'critical', 'REJECTED in Wiz: wont fix. It is meant to be.'],
    ],
  );
  const { all } = await readAll(samples.wizVulnerabilitySample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path, one.location.package!.fixed_version]),
    [
      ['CVE-2099-0902', 'medium', 'usr/bin/agent', '1.5.11'],
      ['CVE-2099-0902', 'medium', 'usr/bin/agent', '1.5.11'],
    ],
  );
  assert.deepEqual(all[0]!.identifiers, ['CVE-2099-0902', 'GHSA-2222-3333-4444']);
});

test('Acunetix 360: a vulnerability is a finding of its address and parameters, without the probe', async () => {
  const { all } = await readAll(samples.acunetixJsonSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.url, one.identifiers, one.suppression?.status]),
    [
      ['SqlInjection', 'critical', 'https://shop.example/search', ['CWE-89'], undefined],
      ['CookieNotMarkedAsHttpOnly', 'info', 'https://shop.example/login', ['CWE-16'], 'accepted_risk'],
    ],
  );
  const probed = JSON.parse(JSON.stringify(samples.acunetixJsonSample).replaceAll("q=1'", 'q=2'));
  assert.equal((await readAll(probed)).all[0]!.fingerprint, all[0]!.fingerprint);
});
