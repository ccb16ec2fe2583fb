import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRules } from '../all-rules.ts';
import { createSecretEngine } from '../engine.ts';
import { secretIdentity } from '../identity.ts';
import { sample, sampleJwt, samplePem, sampleWithCrc32Base62 } from '../sample.ts';

const engine = createSecretEngine(allRules);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const rulesIn = (text: string, path = 'app.py') => engine.find(Buffer.from(text), path).map((hit) => hit.rule.id);

test('a credential of a known form is found in base64, once and twice', () => {
  const token = sampleWithCrc32Base62('ghp_', 30);
  for (const text of [base64(token), base64(base64(token))]) {
    assert.deepEqual(rulesIn(`x = "${text}"`), ['encoded-credential'], text.slice(0, 40));
  }
  assert.deepEqual(rulesIn(`x = "${base64('ghp_ is how the tokens of GitHub begin')}"`), []);
  assert.deepEqual(rulesIn(`integrity: "sha512-${base64(sample('0-9a-zA-Z', 64, 'integrity'))}"`), []);
});

test('a credential in base64 is found when the base64 is wrapped, and is one secret in each form', () => {
  const token = sampleWithCrc32Base62('ghp_', 30);
  const account = {
    type: 'service_account',
    project_id: 'shop',
    private_key: samplePem('PRIVATE KEY'),
    client_id: '1',
  };
  for (const [text, indent] of [
    [`${token} is the token of the deployment, which ends next year.\n`.repeat(3), 2],
    [JSON.stringify(account, null, 2), 0],
    [JSON.stringify({ auths: { 'registry.test': { auth: base64(`ci:${sample('0-9a-zA-Z', 40)}`) } } }), 4],
  ] as const) {
    const lines = base64(text).match(/.{1,64}/g)!;
    const next = `\n${' '.repeat(indent)}`;
    const forms = [`key: |${next}${lines.join(next)}\nnext: value\n`, `x = "${lines.join('"\n  "')}"\n`];
    for (const form of forms) assert.deepEqual(rulesIn(form), ['encoded-credential'], form.slice(0, 100));
    const identities = forms.map((form) => {
      const [hit] = engine.find(Buffer.from(form), 'app.py');
      return secretIdentity(hit!.rule, hit!.secret);
    });
    assert.equal(new Set(identities).size, 1, text.slice(0, 40));
  }
  const prose = base64('ghp_ is how the tokens of GitHub begin. '.repeat(8)).match(/.{1,64}/g)!;
  assert.deepEqual(rulesIn(prose.join('\n')), []);
});

test('a token with a wrong checksum is low and possibly made up, and a tutorial token is not reported', () => {
  for (const prefix of ['ghp_', 'npm_']) {
    const [hit, ...more] = engine.find(Buffer.from(`token = "${prefix}${sample('0-9A-Za-z', 36, prefix)}"`), 'a.py');
    assert.deepEqual(more, []);
    assert.equal(hit!.rule.severity, 'low');
    assert.match(hit!.rule.name, /, possibly made up$/);
    const [real] = engine.find(Buffer.from(`token = "${sampleWithCrc32Base62(prefix, 30)}"`), 'a.py');
    assert.equal(real!.rule.severity, 'critical');
  }
  assert.deepEqual(rulesIn(`token = "ghp_${'x'.repeat(36)}"`), []);
  for (const claims of [{ sub: '1234567890', name: 'John Doe' }, { iss: 'joe', exp: 1300819380 }, { foo: 'bar' }]) {
    assert.deepEqual(rulesIn(`t = "${sampleJwt({ alg: 'HS256', typ: 'JWT' }, claims)}"`, 'tutorial.js'), []);
  }
});
