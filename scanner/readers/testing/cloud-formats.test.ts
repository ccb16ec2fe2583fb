import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as samples from './cloud-samples.fixture.ts';
import { readAll } from './formats.fixture.ts';

test('Dockle: a failed checkpoint is one finding of its image under any tag', async () => {
  const { all } = await readAll(samples.dockleSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity]),
    [
      ['CIS-DI-0010', 'high'],
      ['CIS-DI-0001', 'medium'],
    ],
  );
  const newer = await readAll({ ...samples.dockleSample, image: 'registry.example:5000/shop:1.3' });
  assert.equal(newer.all[0]!.fingerprint, all[0]!.fingerprint);
  const empty = await readAll({ summary: { fatal: 0, warn: 0, info: 0, skip: 0, pass: 16 }, details: [] });
  assert.deepEqual([empty.format.name, empty.all], ['dockle', []]);
});

test('Prowler: failed checks are findings, passed and manual ones are not, muted ones are accepted risks', async () => {
  const { all } = await readAll(samples.prowlerOcsfSample);
  assert.deepEqual(
    all.map((one) => [one.source, one.rule.id, one.severity, one.suppression?.status]),
    [
      ['prowler', 's3_bucket_public_access', 'critical', undefined],
      ['prowler', 's3_bucket_logging', 'critical', undefined],
      ['prowler', 's3_bucket_public_access', 'critical', 'accepted_risk'],
    ],
  );
});

test('Prowler: a result is the same finding in CSV and OCSF', async () => {
  const { all } = await readAll(samples.prowlerSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.suppression?.status]),
    [
      ['s3_bucket_public_access', 'critical', undefined],
      ['s3_bucket_logging', 'low', 'accepted_risk'],
    ],
  );
  assert.match(all[0]!.description, /Nobody outside; may read it\./);
  assert.equal(all[0]!.fingerprint, (await readAll(samples.prowlerOcsfSample)).all[0]!.fingerprint);
});

test('Amazon Inspector: an active result is a finding identified by its ARN, the same as in Security Hub', async () => {
  const { all, incomplete } = await readAll(samples.inspectorSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path, one.suppression?.status]),
    [
      ['CVE-2099-0502', 'medium', null, undefined],
      ['python/hardcoded-credentials', 'info', 'src/app.py', 'accepted_risk'],
    ],
  );
  assert.equal(all[0]!.location.package!.fixed_version, '0:4.19.232-1');
  assert.equal(incomplete.size, 0);
  const product = { SchemaVersion: '2018-10-08', ProductArn: 'arn', ProductName: 'Inspector', Title: 'A leak' };
  const sent = await readAll({ Findings: [{ ...product, Id: samples.inspectorArn }] });
  assert.equal(sent.all[0]!.fingerprint, all[0]!.fingerprint);
  const page = await readAll({ ...samples.inspectorSample, nextToken: 'more' });
  assert.equal(page.incomplete.size, 1);
});
