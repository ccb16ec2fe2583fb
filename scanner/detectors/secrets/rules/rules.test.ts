import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RE2JS } from 're2js';
import { createSecretEngine, type SecretEngine } from '../engine.ts';
import { providerRules } from './index.ts';

type Text = string | { path: string; text: string };

function secretsIn(engine: SecretEngine, example: Text): string[] {
  const { path, text } = typeof example === 'string' ? { path: 'src/settings', text: example } : example;
  return [...new Set(engine.find(Buffer.from(text), path).map((hit) => hit.secret))];
}

describe('provider rules', () => {
  test('there are at least 150 kinds, each with a unique id', () => {
    assert.ok(providerRules.length >= 150, `${providerRules.length}`);
    assert.equal(new Set(providerRules.map((rule) => rule.id)).size, providerRules.length);
  });

  const everything = createSecretEngine(providerRules);

  for (const rule of providerRules) {
    test(`${rule.id} finds its secret in every form of text and nothing in its near-misses`, () => {
      const engine = createSecretEngine([rule]);
      for (const text of rule.matches) assert.equal(secretsIn(engine, text).length, 1, JSON.stringify(text));
      for (const text of rule.misses) assert.deepEqual(secretsIn(engine, text), [], JSON.stringify(text));
    });

    test(`${rule.id} is safe to run and selective`, () => {
      assert.match(rule.id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(rule.matches.length >= 2 && rule.misses.length >= 2);
      assert.ok(rule.keywords.length > 0);
      const ignoresCase = rule.flags === 'i' || rule.pattern.includes('(?i');
      const allowed = ignoresCase ? /^[\x20-\x40\x5b-\x7e]{3,}$/ : /^[\x20-\x7e]{3,}$/;
      for (const keyword of rule.keywords) assert.match(keyword, allowed, keyword);
      assert.doesNotThrow(() => RE2JS.compile(rule.pattern));
    });

    test(`${rule.id} names the credential when all rules run`, () => {
      const [first] = rule.matches;
      const text = typeof first === 'string' ? first : first!.text;
      const [secret] = secretsIn(createSecretEngine([rule]), text);
      const hits = everything.find(Buffer.from(text), 'src/settings').filter((hit) => hit.secret === secret);
      assert.deepEqual(new Set(hits.map((hit) => hit.rule.id)), new Set([rule.id]), text);
    });
  }
});
