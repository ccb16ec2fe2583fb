import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { createLifecycle } from './lifecycle.ts';
import { silentLog } from './log.ts';

test('the part that was started last is stopped first, even when one fails', async () => {
  const lifecycle = createLifecycle(silentLog);
  const stopped: string[] = [];
  await lifecycle.onStop('database', () => void stopped.push('database'));
  await lifecycle.onStop('worker', () => Promise.reject(new Error('stuck')));
  await lifecycle.onStop('api', () => void stopped.push('api'));
  assert.equal(await lifecycle.stop(), false);
  assert.deepEqual(stopped, ['api', 'database']);
});

test('a part that starts while the rest stops is stopped at once', async () => {
  const lifecycle = createLifecycle(silentLog);
  assert.equal(await lifecycle.stop(), true);
  let stopped = false;
  await lifecycle.onStop('late', () => {
    stopped = true;
  });
  assert.equal(stopped, true);
});

async function signalled(
  stop: string,
  signals: NodeJS.Signals[],
  timeoutMs = 10_000,
): Promise<[number | null, string]> {
  const script = `
    import { createLifecycle, stopOnSignals } from ${JSON.stringify(new URL('./lifecycle.ts', import.meta.url).href)};
    import { silentLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    const lifecycle = createLifecycle(silentLog);
    await lifecycle.onStop('part', async () => { console.log('stopping'); ${stop} });
    stopOnSignals(lifecycle, silentLog, ${timeoutMs});
    setInterval(() => {}, 1000);
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let repeat: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    const lines = output.trim().split('\n').length;
    if (lines > signals.length) return;
    child.kill(signals[lines - 1]);
    if (lines > 1) repeat = setInterval(() => child.kill(signals[lines - 1]), 50);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(repeat);
  return [code, output];
}

test('the first signal lets work finish, the second ends the process at once', { timeout: 600_000 }, async () => {
  assert.deepEqual(await signalled('', ['SIGTERM']), [0, 'ready\nstopping\n']);
  const never = 'await new Promise(() => {});';
  assert.deepEqual(await signalled(never, ['SIGTERM', 'SIGINT']), [130, 'ready\nstopping\n']);
});

test('a part that never stops does not keep the process running forever', { timeout: 600_000 }, async () => {
  assert.equal((await signalled('await new Promise(() => {});', ['SIGTERM'], 50))[0], 1);
});
