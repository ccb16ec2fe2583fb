// Runs the Go tests of a folder and passes each result to Node.js's test runner.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { goEnvironment } from '../../../scripts/clients/go-tools.mjs';

/** Runs `go test` on a package of this module; returns the innermost tests, each with its output. */
export async function runGoTests(name, env = {}) {
  const child = spawn('go', ['test', '-json', '-count=1', name], {
    cwd: fileURLToPath(new URL('./', import.meta.url)),
    env: { ...goEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const results = new Map();
  const output = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const event = line.startsWith('{') ? JSON.parse(line) : { Action: 'output', Output: line };
    if (event.Test === undefined) {
      if (event.Output) output.push(event.Output);
      continue;
    }
    const result = results.get(event.Test) ?? { output: '' };
    results.set(event.Test, result);
    if (event.Action === 'output') result.output += event.Output;
    if (['pass', 'fail', 'skip'].includes(event.Action)) result.action = event.Action;
  }
  const code = await exited;
  const names = [...results.keys()];
  const isParent = (name) => names.some((other) => other.startsWith(`${name}/`));
  const tests = [...results].filter(([name]) => !isParent(name));
  return { code, output: output.join(''), tests: tests.map(([name, result]) => ({ name, ...result })) };
}

/** Returns a test's name as a sentence: the name of a subtest, "it works" for `TestItWorks`. */
const sentence = (name) =>
  name.includes('/')
    ? name.split('/').at(-1).replaceAll('_', ' ')
    : name
        .replace(/^Test/, '')
        .replace(/\B(?=[A-Z])/g, ' ')
        .toLowerCase();

/** Adds a test for each Go test, and one that checks that all of them ran. */
export function reportGoTests({ code, output, tests }, minTests) {
  for (const { name, action, output: printed } of tests) {
    const readable = sentence(name);
    test(readable, () => assert.equal(action, 'pass', printed));
  }
  test('every Go test ran', () => {
    assert.equal(code, 0, output);
    assert.ok(tests.length >= minTests, `${tests.length} tests, not at least ${minTests}`);
  });
}
