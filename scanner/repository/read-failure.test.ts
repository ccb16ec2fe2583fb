import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DamagedRepository, TargetError } from '../contract/target-error.ts';
import { runProgram } from '../platform/child-process.ts';
import { runGit } from '../platform/git.ts';
import { readFailure } from './read-failure.ts';

const home = mkdtempSync(join(tmpdir(), 'read-failure-'));
after(() => rmSync(home, { recursive: true, force: true }));

const failed = (run: Promise<unknown>) =>
  run.then(
    () => assert.fail('It did not fail.'),
    (error: unknown) => error,
  );

test('an object that git cannot read is damage of the repository, and a timeout of git is not', async () => {
  const missing = await failed(
    runGit(['cat-file', '-e', '1'.repeat(40)], { gitDirectory: home, home, timeoutMs: 60_000 }),
  );
  assert.ok(readFailure(missing, 1) instanceof DamagedRepository);
  const slow = await failed(
    runGit(['hash-object', '--stdin-paths'], {
      gitDirectory: null,
      home,
      timeoutMs: 60_000,
      signal: AbortSignal.abort(),
    }),
  );
  assert.equal(readFailure(slow, 1), slow);
});

test('a failure of another program is never damage of the repository, whatever the command', async () => {
  for (const command of ['false', join(home, 'git tool')]) {
    const options = { command, arguments: [], directory: home, home, timeoutMs: 60_000, confinement: null };
    const error = await failed(runProgram(options));
    assert.equal(readFailure(error, 1), error);
    assert.ok(!(readFailure(error, 1) instanceof TargetError));
  }
});
