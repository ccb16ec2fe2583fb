import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs } from '../../../tests/harness/cpu-time.ts';
import { allRules } from './all-rules.ts';
import { createSecretEngine } from './engine.ts';
import type { SecretRule } from './rule.ts';

const size = 8 * 1024;
/**
 * The limit for 8 KB on a shared machine. Ordinary text takes a quarter of a millisecond, a runaway pattern minutes.
 */
const boundMs = 250;

const repeat = (text: string): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);

/** Texts that repeat near-matches. */
function* nearMatches(rule: SecretRule): Generator<string> {
  const keyword = rule.keywords[0] ?? 'x:';
  for (const run of ['a', 'A', '0', ' ', '"', '=', '_', '\n', "='"]) yield keyword + repeat(run);
  yield repeat(keyword);
  yield repeat(`${keyword} `);
  yield repeat(`${keyword}="`);
  yield repeat(`${keyword}_a: `);
  for (const match of rule.matches.slice(0, 3)) {
    const text = typeof match === 'string' ? match : match.text;
    yield repeat(text.slice(0, -1));
    yield repeat(text.slice(0, Math.ceil(text.length * 0.75)));
    yield text.slice(0, Math.ceil(text.length * 0.6)) + repeat(text.at(-2) ?? 'a');
  }
}

function pathFor(rule: SecretRule): string {
  const match = rule.matches.find((example) => typeof example !== 'string');
  return typeof match === 'object' ? match.path : 'config/app.conf';
}

test('no rule takes excessive time on text full of near-matches', () => {
  const slow: string[] = [];
  for (const rule of allRules) {
    const engine = createSecretEngine([rule]);
    for (const text of nearMatches(rule)) {
      const started = cpuTimeMs();
      engine.find(Buffer.from(text), pathFor(rule));
      const tookMs = cpuTimeMs() - started;
      if (tookMs > boundMs) slow.push(`${rule.id}: ${Math.round(tookMs)} ms on ${JSON.stringify(text.slice(0, 60))}`);
    }
  }
  assert.deepEqual(slow, []);
});
