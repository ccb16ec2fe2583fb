import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretEngine } from '../engine.ts';
import { fileRules } from './index.ts';

const place = (example: string | { path: string; text: string }) =>
  typeof example === 'string' ? { path: 'src/deploy.conf', text: example } : example;

for (const rule of fileRules) {
  const engine = createSecretEngine([rule]);
  test(`${rule.id} finds its secret and skips its near-misses`, () => {
    for (const { path, text } of rule.matches.map(place)) {
      assert.equal(engine.find(Buffer.from(text), path).length, 1, `${path}: ${text}`);
      assert.equal(engine.mayContainSecret(Buffer.from(text), path), true);
    }
    for (const { path, text } of rule.misses.map(place)) {
      assert.deepEqual(
        engine.find(Buffer.from(text), path).map((hit) => hit.secret),
        [],
        `${path}: ${text}`,
      );
    }
  });
}

test('rule ids are unique', () => {
  assert.equal(new Set(fileRules.map((rule) => rule.id)).size, fileRules.length);
});
