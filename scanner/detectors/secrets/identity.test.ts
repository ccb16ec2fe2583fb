import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { allRules } from './all-rules.ts';
import { createSecretEngine } from './engine.ts';
import { type SecretPlace, secretFingerprint, secretIdentity, toDetection } from './identity.ts';

const engine = createSecretEngine(allRules);
const keyedHash = (value: string): string => createHmac('sha256', 'key').update(value).digest('base64url');
const secret = ['Tr0', 'ub4', 'dor&', '3'].join('');

function detect(text: string, path: string) {
  const [hit] = engine.find(Buffer.from(text), path);
  const place: SecretPlace = { ...hit!, path, commit: 'c'.repeat(40) };
  const fingerprint = secretFingerprint(hit!.rule, hit!.secret, keyedHash);
  return toDetection({ rule: hit!.rule, fingerprint, places: [place], occurrences: 1 });
}

test('a secret keeps its fingerprint when it is moved, copied or written in another notation', () => {
  const prints = [
    detect(`DB_PASSWORD=${secret}`, '.env'),
    detect(`\n\n  password: "${secret}"`, 'deep/config.yml'),
    detect(`<password>${secret}</password>`, 'settings.xml'),
  ].map((detection) => detection.fingerprint);
  assert.equal(new Set(prints).size, 1);
});

test('another secret has another fingerprint', () => {
  const first = detect(`DB_PASSWORD=${secret}`, '.env');
  const second = detect(`DB_PASSWORD=${secret}x`, '.env');
  assert.notEqual(first.fingerprint, second.fingerprint);
});

test('the detection contains nothing of the secret', () => {
  assert.ok(!JSON.stringify(detect(`DB_PASSWORD=${secret} # not ${secret}!`, '.env')).includes(secret));
});

test('a password in documentation, a template or an example is one step less severe, a token of a known form is not', () => {
  const examples = ['docs/setup.conf', 'api-docs/setup.conf', 'guide/setup.mdx', '.env.example', 'config.tmpl'];
  const others = ['.env', 'docset/app.conf', 'example.env', 'templates/app.conf'];
  const severities = (paths: string[]) =>
    new Set(paths.map((path) => detect(`db_password = ${secret}`, path).severity));
  assert.deepEqual([...severities(examples)], ['medium']);
  assert.deepEqual([...severities(others)], ['high']);
  const rule = allRules.find(({ generic }) => !generic)!;
  const place = {
    path: '.env.example',
    startLine: 1,
    endLine: 1,
    startColumn: 1,
    endColumn: 2,
    evidence: '',
    commit: null,
  };
  const token = toDetection({ rule, fingerprint: 'v1:x', places: [place], occurrences: 1 });
  assert.equal(token.severity, rule.severity);
});

test('a detection keeps at most 100 locations and counts all', () => {
  const [hit] = engine.find(Buffer.from(`DB_PASSWORD=${secret}`), '.env');
  const places = Array.from({ length: 150 }, (_, index) => ({ ...hit!, path: `${index}/.env`, commit: null }));
  const detection = toDetection({ rule: hit!.rule, fingerprint: 'v1:x', places, occurrences: 150 });
  assert.equal(detection.places.length, 100);
  assert.equal(detection.occurrences, 150);
  assert.equal(detection.location.path, '0/.env');
  assert.match(detection.title, / in 0\/\.env$/);
});

test('a private key is the same secret with real or escaped line breaks and with indentation', () => {
  const rule = { ...allRules[0]!, generic: false };
  const begin = '-----BEGIN PRIVATE KEY-----';
  const forms = [`${begin}\nabc\ndef`, `${begin}\\nabc\\ndef`, `${begin}\r\n    abc\r\n    def`];
  assert.equal(new Set(forms.map((form) => secretIdentity(rule, form))).size, 1);
});
