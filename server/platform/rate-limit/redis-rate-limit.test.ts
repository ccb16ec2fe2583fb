import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { RateLimiter } from './rate-limit.ts';
import { createRedisRateLimiter } from './redis-rate-limit.ts';

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const usual = { requestsPerMinute: 60, burstPerMinute: 80 };

let port = 0;
let server: ChildProcess | undefined;
const limiters: RateLimiter[] = [];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address() as { port: number };
  probe.close();
  return address.port;
}

async function startServer() {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  server = spawn(program!, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const chunk of server.stdout!) if (String(chunk).includes('Ready to accept')) return;
}

async function stopServer() {
  server?.kill('SIGKILL');
  if (server?.exitCode === null) await once(server, 'exit');
}

/** A node of its own, once it counts in Redis. */
async function createNode(lines: string[] = []): Promise<RateLimiter> {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const limiter = createRedisRateLimiter({ url: `redis://127.0.0.1:${port}`, log });
  limiters.push(limiter);
  await isShared(limiter);
  return limiter;
}

let probes = 0;
async function isShared(limiter: RateLimiter) {
  const other = createRedisRateLimiter({ url: `redis://127.0.0.1:${port}`, log: pino({ level: 'silent' }) });
  const deadline = Date.now() + 10_000;
  for (;;) {
    probes += 1;
    const key = `probe${probes}`;
    await limiter.take(key, usual);
    if ((await other.take(key, usual)).remaining === 18) break;
    assert.ok(Date.now() < deadline, 'Redis is not used');
    await delay(20);
  }
  await other.close();
}

before(async () => {
  assert.ok(program, 'The tests need redis-server or valkey-server: `npm test` installs one.');
  port = await freePort();
  await startServer();
});
after(async () => {
  for (const limiter of limiters) await limiter.close();
  await stopServer();
});

test('all nodes together admit what one would', async () => {
  const nodes = await Promise.all([createNode(), createNode(), createNode()]);
  const takes = Array.from({ length: 90 }, (_, index) => nodes[index % 3]!.take('shared', usual));
  const allowed = (await Promise.all(takes)).filter((allowance) => allowance.allowed).length;
  assert.ok(allowed >= 20 && allowed <= 22, `${allowed} were admitted`);
  const refused = await nodes[0]!.take('shared', usual);
  assert.equal(refused.allowed, false);
  await delay(refused.retryAfterSeconds * 1000);
  assert.ok((await nodes[1]!.take('shared', usual)).allowed, 'waiting as long as told was enough');
});

test('while Redis is gone each node counts by itself, and says so once; then it counts there again', async () => {
  const log: string[] = [];
  const node = await createNode(log);
  await stopServer();
  const allowed = [];
  for (let count = 0; count < 25; count += 1) allowed.push((await node.take('alone', usual)).allowed);
  assert.equal(allowed[0], true);
  assert.equal(allowed.at(-1), false);
  await startServer();
  await isShared(node);
  assert.deepEqual(
    log.map((line) => /away|back/.exec(line)?.[0]),
    ['away', 'back'],
  );
});
