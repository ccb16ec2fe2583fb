import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileManyPatterns } from '../../../../tests/harness/many-patterns.ts';
import { createSecretEngine } from '../engine.ts';
import { providerRules } from './index.ts';

const exampleOf = (example: string | { path: string; text: string }) =>
  typeof example === 'string' ? { path: 'src/settings', text: example } : example;

test('every rule finds its secrets in a process that has compiled thousands of patterns', () => {
  compileManyPatterns();
  const missed = providerRules.flatMap((rule) => {
    const engine = createSecretEngine([rule]);
    return rule.matches
      .map(exampleOf)
      .filter(({ path, text }) => engine.find(Buffer.from(text), path).length === 0)
      .map(({ text }) => `${rule.id}: ${text}`);
  });
  assert.deepEqual(missed, []);
});
