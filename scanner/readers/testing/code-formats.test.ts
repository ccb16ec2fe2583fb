import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as samples from './code-samples.fixture.ts';
import { readAll } from './formats.fixture.ts';

test('Gitleaks: a secret in two files is one finding with two locations', async () => {
  const { all } = await readAll(samples.gitleaksSample);
  assert.equal(all.length, 1);
  assert.deepEqual(
    all[0]!.places.map((place) => [place.path, place.start_line, place.commit]),
    [
      ['a.env', 3, 'c1'],
      ['deploy/b.env', 8, 'c2'],
    ],
  );
  assert.equal(all[0]!.evidence, 'key = "…(redacted)"');
});

test('Gitleaks: redacted secrets are distinguished by their lines', async () => {
  const { all } = await readAll(samples.oldGitleaksSample);
  assert.deepEqual(all.map((one) => one.location.path).sort(), ['a.cfg', 'b.cfg']);
});

test('TruffleHog: a verified secret is critical, and log lines are skipped', async () => {
  const { all } = await readAll(samples.trufflehogSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path]),
    [['example', 'critical', 'a.env']],
  );
});

test('TruffleHog 2: a secret in two files is one finding; the header of a key, which all keys share, is one per file', async () => {
  const header = `-----BEGIN RSA ${'PRIVATE'} KEY-----`;
  const found = (path: string, reason: string, ...stringsFound: string[]) =>
    JSON.stringify({ branch: 'main', commitHash: `of ${path}`, path, reason, stringsFound, diff: '' });
  const lines = [
    found('a/key.pem', 'RSA private key', header),
    found('b/key.pem', 'RSA private key', header),
    found('a/.env', 'High Entropy', samples.sampleSecret, `${samples.sampleSecret}2`),
    found('b/.env', 'High Entropy', samples.sampleSecret),
  ];
  const { all } = await readAll(lines.join('\n'));
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path, one.occurrences]),
    [
      ['rsa-private-key', 'medium', 'a/key.pem', 1],
      ['rsa-private-key', 'medium', 'b/key.pem', 1],
      ['high-entropy', 'medium', 'a/.env', 2],
      ['high-entropy', 'medium', 'a/.env', 1],
    ],
  );
});

test('TruffleHog: an empty file has no findings', async () => {
  assert.deepEqual((await readAll('', { format: 'trufflehog' })).all, []);
});

test('Semgrep: the same code twice is two findings; an ignored one is an accepted risk', async () => {
  const { all } = await readAll(samples.semgrepSample);
  assert.deepEqual(
    all.map((one) => [one.location.start_line, one.severity, one.suppression?.status]),
    [
      [10, 'high', undefined],
      [30, 'low', 'accepted_risk'],
    ],
  );
  assert.deepEqual(all[0]!.identifiers, ['CWE-95']);
});

test('Bandit: a quoted password is removed from the message and the code', async () => {
  const [one] = (await readAll(samples.banditSample)).all;
  assert.equal(one!.location.path, 'app/settings.py');
  assert.equal(one!.title, "Possible hardcoded password: '…(redacted)'");
  assert.equal(one!.evidence, 'password = "…(redacted)"');
  assert.equal(one!.confidence, 'medium');
});

test('Bandit: neighbouring lines do not create a new finding', async () => {
  const [result] = samples.banditSample.results;
  const changed = {
    ...samples.banditSample,
    results: [{ ...result, code: result!.code.replace('4 import os', '4 import sys') }],
  };
  assert.equal((await readAll(changed)).all[0]!.fingerprint, (await readAll(samples.banditSample)).all[0]!.fingerprint);
});

test('gosec: a result marked with #nosec is an accepted risk with its reason', async () => {
  const [one] = (await readAll(samples.gosecSample)).all;
  assert.deepEqual(one!.suppression, { status: 'accepted_risk', reason: 'An operator’s own command' });
  assert.deepEqual([one!.location.start_line, one!.location.end_line, one!.identifiers], [6, 7, ['CWE-78']]);
  assert.equal(one!.confidence, 'medium');
});

test('Checkov: a resource that moves within its file stays the same finding; a skipped check is an accepted risk', async () => {
  const { all } = await readAll(samples.checkovSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.suppression?.reason]),
    [
      ['CKV_X_1', 'medium', undefined],
      ['CKV_X_2', 'high', 'Nothing secret in it'],
    ],
  );
  const text = JSON.stringify(samples.checkovSample).replaceAll('"file_line_range":[3,5]', '"file_line_range":[13,15]');
  assert.deepEqual(
    (await readAll(text)).all.map((one) => one.fingerprint),
    all.map((one) => one.fingerprint),
  );
});

test('a file in an unknown format is refused with the names of the formats', async () => {
  await assert.rejects(readAll({ hello: 'world' }), /not recognised; name it with “format”: sarif, cyclonedx/);
  await assert.rejects(readAll('{}', { format: 'nonsense' }), /“nonsense” is not known; it can be: sarif/);
  await assert.rejects(readAll(''), /The file is empty/);
});

test('files without results are recognised if they have a trace of their tool', async () => {
  const files = {
    'pip-audit': { dependencies: [], fixes: [] },
    tfsec: { results: null },
    semgrep: { version: '1.100.0', results: [], errors: [], paths: { scanned: [] } },
    govulncheck: { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck', db: 'https://vuln.go.dev' } },
    'osv-scanner': { results: [], experimental_config: {} },
    trivy: { SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'repository' },
  };
  for (const [name, content] of Object.entries(files)) {
    const { format, all } = await readAll(content);
    assert.deepEqual([format.name, all.length], [name, 0]);
  }
});
