import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  ProgramError,
  type ProgramFailure,
  runProgram,
  startProgram,
  wasKilled,
} from '@assay/scanner/platform/child-process.ts';
import { isInterruption } from './interruption.ts';
import { isOutOfRoom } from './postgres/database.ts';

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'program-'));
});
after(() => rm(home, { recursive: true, force: true }));

const shell = (script: string, more = {}) => ({
  command: '/bin/sh',
  arguments: ['-c', script],
  directory: home,
  home,
  confinement: null,
  timeoutMs: 20_000,
  ...more,
});

const failsWith = (reason: ProgramFailure) => (error: unknown) =>
  error instanceof ProgramError && error.reason === reason;

/** A killed process can remain as a zombie until its parent reaps it. */
async function gone(processId: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      process.kill(processId, 0);
      if (/\) Z /.test(await readFile(`/proc/${processId}/stat`, 'utf8'))) return true;
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

test('a program has no access to our environment', async () => {
  process.env.ASSAY_TEST_SECRET = 'must not pass';
  const { stdout } = await runProgram(shell('env', { environment: { GIVEN: 'yes' } }));
  const names = stdout
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0])
    .filter((name) => name && !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name));
  assert.deepEqual(names.sort(), ['GIVEN', 'HOME', 'LANG', 'PATH', 'TMPDIR']);
});

test('a program can run at a lower priority', async () => {
  const { stdout } = await runProgram(shell('nice', { niceness: 7 }));
  assert.equal(Number(stdout), Math.min(19, getPriority() + 7));
});

test('a program that takes too long is ended with all its processes', async () => {
  const program = startProgram(shell('sleep 60 & echo $!; wait', { timeoutMs: 300 }));
  let text = '';
  for await (const chunk of program.stdout) text += chunk;
  await assert.rejects(program.finished, failsWith('timeout'));
  assert.equal(await gone(Number(text)), true);
});

test('a signal from outside is not considered a fault of the program or our own termination of it', async () => {
  const ends = async (script: string, more = {}) => {
    const error = await runProgram(shell(script, more)).catch((error: unknown) => error);
    return wasKilled(new Error('around it', { cause: error }));
  };
  for (const name of ['KILL', 'TERM', 'INT', 'HUP']) assert.equal(await ends(`kill -${name} $$`), true, name);
  for (const name of ['SEGV', 'ABRT', 'XCPU']) assert.equal(await ends(`kill -${name} $$`), false, name);
  assert.equal(await ends('exit 1'), false);
  assert.equal(await ends('sleep 60', { timeoutMs: 50 }), false);
});

test('a program that ignores the request to end is killed', async () => {
  const program = startProgram(shell('trap "" TERM; while :; do sleep 0.05; done', { timeoutMs: 100 }));
  await assert.rejects(program.finished, failsWith('timeout'));
});

test('an abort ends the program, even before it has started', async () => {
  const controller = new AbortController();
  const program = startProgram(shell('echo ready; sleep 60', { signal: controller.signal }));
  for await (const _ of program.stdout) controller.abort();
  await assert.rejects(program.finished, failsWith('aborted'));
  await assert.rejects(runProgram(shell('sleep 60', { signal: AbortSignal.abort() })), failsWith('aborted'));
});

test('output above its limit ends the program', async () => {
  await assert.rejects(
    runProgram(shell('while :; do echo yyyyyyyyyyyyyyyyyyyyyy; done', { outputBytes: 100_000 })),
    failsWith('output_limit'),
  );
});

test('a program whose output is not read waits instead of filling our memory', async () => {
  const program = startProgram(shell('head -c 200000000 /dev/zero'));
  const before = process.memoryUsage().rss;
  let bytes = 0;
  for await (const chunk of program.stdout) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    bytes += chunk.length;
  }
  await program.finished;
  assert.equal(bytes, 200_000_000);
  assert.ok(process.memoryUsage().rss - before < 100e6);
});

test('leaving the output early stops the program', async () => {
  const program = startProgram(shell('while :; do echo y; done'));
  for await (const _ of program.stdout) break;
  await assert.rejects(program.finished, failsWith('aborted'));
});

test('memory above its limit makes the program fail', { skip: process.platform !== 'linux' }, async () => {
  const grow = shell('', { command: process.execPath, memoryBytes: 300e6 });
  grow.arguments = ['-e', 'const kept = []; for (;;) kept.push(Buffer.alloc(1e7, 1))'];
  await assert.rejects(runProgram(grow), ProgramError);
});

test('the error of a failed program has its exit code and the end of its standard error', async () => {
  await assert.rejects(runProgram(shell('echo "what went wrong" >&2; exit 7')), (error: unknown) => {
    assert.ok(error instanceof ProgramError);
    assert.equal(error.exitCode, 7);
    assert.match(error.stderr, /what went wrong/);
    return true;
  });
  assert.equal((await runProgram(shell('exit 7', { exitCodes: [0, 7] }))).exitCode, 7);
});

test('a missing program is reported as such', async () => {
  await assert.rejects(runProgram(shell('', { command: 'no-such-program-anywhere' })), /could not be started/);
  await assert.rejects(runProgram(shell('', { directory: join(home, 'no-such-directory') })), failsWith('not_started'));
  await assert.rejects(runProgram(shell('', { directory: '/bin/sh' })), failsWith('not_started'));
});

test('processes that a program leaves running are ended with it', async () => {
  const { stdout } = await runProgram(shell('sleep 60 & echo $!'));
  assert.equal(await gone(Number(stdout.toString())), true);
});

const runs = (script: string) =>
  runProgram(shell(script)).then(
    () => null,
    (error: unknown) => error,
  );

test("a program that ends because our disk is full was interrupted; a full disk of git's remote is not ours", async (context) => {
  if (process.platform !== 'linux') return context.skip('it needs /dev/full');
  const full = await runs('cat /etc/passwd > /dev/full');
  assert.deepEqual([isOutOfRoom(full), isInterruption(full)], [true, true]);
  const remote = await runs('echo "remote: fatal: No space left on device" >&2; exit 1');
  assert.deepEqual([isOutOfRoom(remote), isInterruption(remote)], [false, false]);
});
