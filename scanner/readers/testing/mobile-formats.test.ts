import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './formats.fixture.ts';
import * as samples from './mobile-samples.fixture.ts';

test('MobSF: a code rule is one finding of the app, a library is one for all processors, and correct settings are none', async () => {
  const { all } = await readAll(samples.mobsfSample);
  assert.deepEqual(all.map((one) => [one.rule.id, one.severity, one.occurrences, one.identifiers[0]]).sort(), [
    ['binary-stack_canary', 'high', 2, undefined],
    ['certificate-application-signed-with-debug-certificate', 'high', 1, undefined],
    ['code-android_insecure_random', 'medium', 3, 'CWE-330'],
    ['manifest-exported_intent_filter_exists', 'medium', 1, undefined],
    ['network-clear-text-traffic-is-permitted-to-these-domains-do-not-', 'high', 1, undefined],
    ['permission-android.permission.RECORD_AUDIO', 'info', 1, undefined],
    ['possible-secret', 'medium', 1, 'CWE-798'],
  ]);
  const random = all.find((one) => one.rule.id === 'code-android_insecure_random')!;
  assert.deepEqual(
    [random.cvss_score, random.location.path, random.location.start_line, random.rule.tags],
    [7.5, 'a/b/c.java', 9, ['MSTG-CRYPTO-6', 'M5: Insufficient Cryptography']],
  );
});

test('MobSF: another build of an app, with other names of decompiled files, has the same findings', async () => {
  const fingerprints = async (file: object) => (await readAll(file)).all.map((one) => one.fingerprint).sort();
  const built = JSON.parse(JSON.stringify(samples.mobsfSample).replace('a/b/c.java', 'z/y.java').replace('9,31', '7'));
  assert.deepEqual(await fingerprints({ ...built, md5: '0' }), await fingerprints(samples.mobsfSample));
  const other = { ...samples.mobsfSample, package_name: 'example.other' };
  const both = new Set([...(await fingerprints(other)), ...(await fingerprints(samples.mobsfSample))]);
  assert.equal(both.size, 14);
});

test('MobSF: reports of iOS and of versions before 3.2 are read, with the app in any position', async () => {
  const { all } = await readAll(samples.mobsfOldSample);
  assert.deepEqual(all.map((one) => [one.rule.id, one.severity, one.location.path]).sort(), [
    ['ats-clear-text-loads-are-allowed', 'high', null],
    ['binary-Binary makes use of insecure API(s)', 'high', null],
    ['binary-arc', 'medium', null],
    ['code-ios_log', 'info', 'Shop/Log.swift'],
  ]);
  const { bundle_id, ...rest } = samples.mobsfOldSample;
  const first = await readAll({ bundle_id, ...rest });
  assert.deepEqual(first.all.map((one) => one.fingerprint).sort(), all.map((one) => one.fingerprint).sort());
});
