import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandOf, processTree, signal } from '../../../tests/harness/processes.ts';
import { CodeChecker } from './checker.ts';
import { loadRuleBook } from './rule-book.ts';

const home = mkdtempSync(join(tmpdir(), 'checker-'));
after(() => rmSync(home, { recursive: true, force: true }));

const rules = [...(await loadRuleBook()).rules.values()];
const python = { language: 'python', extension: 'py' } as const;
const planted = Buffer.from('import os\ndef f(a):\n    os.system("x " + a)\n');

async function check(contents: Buffer[], fileTimeoutMs?: number) {
  const checker = new CodeChecker(rules, { home, signal: AbortSignal.timeout(600_000), fileTimeoutMs });
  try {
    return await Promise.all(contents.map((content) => checker.check(python, content)));
  } finally {
    checker.close();
  }
}

const countOf = (outcome: Awaited<ReturnType<typeof check>>[number]) =>
  'hits' in outcome ? outcome.hits.length : 'failure' in outcome ? outcome.failure : outcome.skipped;

test('endlessly nested code neither crashes the checker nor stops later files', async () => {
  const deep = [
    `os.system(${'('.repeat(300_000)}`,
    `os.system("a" + ${'f('.repeat(100_000)}x${')'.repeat(100_000)})`,
    `os.system(${'"a" + '.repeat(50_000)}x)`,
    `os.system(${'['.repeat(400_000)}`,
  ];
  const outcomes = await check([...deep.map((text) => Buffer.from(`def f(x):\n  ${text}\n`)), planted]);
  assert.equal(countOf(outcomes.at(-1)!), 1);
});

test('only a file that takes too long fails', async () => {
  const slow = Buffer.from(`def f(x):\n${'  os.system("a" + x)\n'.repeat(25_000)}`);
  const outcomes = await check([planted, slow, planted], 30);
  assert.equal(countOf(outcomes[0]!), 1);
  assert.equal(countOf(outcomes[1]!), 'time');
  assert.equal(countOf(outcomes[2]!), 1);
});

test('an abort ends the check in progress', async () => {
  const abort = new AbortController();
  const checker = new CodeChecker(rules, { home, signal: abort.signal });
  const outcome = checker.check(python, planted);
  abort.abort();
  await assert.rejects(outcome);
});

test('a file is still checked if its checker process is killed, such as when memory is short', async () => {
  const checker = new CodeChecker(rules, { home, signal: AbortSignal.timeout(600_000) });
  try {
    assert.equal(countOf(await checker.check(python, planted)), 1);
    const [pid] = processTree(process.pid).filter((one) => commandOf(one).includes('checker-process'));
    // The process reads nothing more, so that it is killed while it has this file.
    signal(pid!, 'SIGSTOP');
    const outcome = checker.check(python, planted);
    signal(pid!, 'SIGKILL');
    assert.equal(countOf(await outcome), 1);
  } finally {
    checker.close();
  }
});
