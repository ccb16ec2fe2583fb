import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { eventually } from './harness/installation.ts';
import { commandOf, isAlive, processTree, signal } from './harness/processes.ts';

test('processes that end while they are listed are omitted', async () => {
  // Each subshell starts a program and ends with it: a listed process may be gone when its children are read.
  const shell = spawn('sh', ['-c', 'while :; do (true; cat /dev/null; true) & wait; done'], { stdio: 'ignore' });
  try {
    await eventually(async () => processTree(shell.pid!).length > 1);
    for (let round = 0; round < 3_000; round++) {
      const [root, ...below] = processTree(shell.pid!);
      assert.equal(root, shell.pid);
      for (const pid of below) commandOf(pid);
    }
  } finally {
    signal(shell.pid!, 'SIGKILL');
  }
  await eventually(async () => !isAlive(shell.pid!));
  await eventually(async () => processTree(shell.pid!).length === 0);
  signal(shell.pid!, 'SIGKILL');
  assert.equal(commandOf(shell.pid!), '');
});
