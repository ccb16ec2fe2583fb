import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createRedisRateLimiter, type RedisRateLimiter } from './redis-rate-limit.ts';

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const usual = { requestsPerMinute: 60, burstPerMinute: 80 };

let port = 0;
let server: ChildProcess | undefined;
const limiters: RedisRateLimiter[] = [];

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

/** Starts a separate node and waits until it counts in Redis. */
async function createNode(lines: string[] = []): Promise<RedisRateLimiter> {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const limiter = createRedisRateLimiter({ url: `redis://127.0.0.1:${port}`, log });
  limiters.push(limiter);
  await isShared(limiter);
  return limiter;
}

let probes = 0;
async function isShared(limiter: RedisRateLimiter) {
  const other = createRedisRateLimiter({ url: `redis://127.0.0.1:${port}`, log: pino({ level: 'silent' }) });
  const deadline = Date.now() + 120_000;
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

test('what one node spends is the level of every node', async () => {
  const [one, another] = await Promise.all([createNode(), createNode()]);
  await one.spend('spent', usual, 40);
  await another.spend('spent', usual, 20);
  await until(() => one.level('spent', usual) > 50);
  assert.ok(another.level('spent', usual) > 50 && another.level('spent', usual) <= 60);
});

test('all nodes together admit as much as one', async () => {
  const nodes = await Promise.all([createNode(), createNode(), createNode()]);
  const from = performance.now();
  const takes = Array.from({ length: 90 }, (_, index) => nodes[index % 3]!.take('shared', usual));
  const allowed = (await Promise.all(takes)).filter((allowance) => allowance.allowed).length;
  assert.ok(allowed >= 20 && allowed <= admitsSince(from, 20), `${allowed} were admitted`);
  const refused = await nodes[0]!.take('shared', usual);
  assert.equal(refused.allowed, false);
  await delay(refused.retryAfterSeconds * 1000);
  assert.ok((await nodes[1]!.take('shared', usual)).allowed, 'waiting for Retry-After was enough');
});

/** Starts three nodes that know each other, with their logs. */
async function createNodes() {
  for (const limiter of limiters.splice(0)) await limiter.close();
  const logs: string[][] = [[], [], []];
  const nodes: RedisRateLimiter[] = [];
  for (const log of logs) nodes.push(await createNode(log));
  await until(() => nodes.every((node) => node.countNodes() === 3));
  return { nodes, logs };
}

async function until(condition: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'not within two minutes');
    await delay(5);
  }
}

const said = (logs: string[][], word: 'unavailable' | 'available again') =>
  logs.every((log) => log.at(-1)?.includes(`Redis is ${word}`));

/** Takes from every node in turn until the condition holds. Returns the number of admitted requests. */
async function hammer(nodes: RedisRateLimiter[], key: string, end: () => boolean | Promise<boolean>): Promise<number> {
  let admitted = 0;
  await until(async () => {
    for (const node of nodes) if ((await node.take(key, usual)).allowed) admitted += 1;
    return end();
  });
  return admitted;
}

/**
 * Returns the number of requests that a bucket of the usual rate has admitted since then, plus one for each node's
 * fraction of a request.
 */
const admitsSince = (from: number, before = 0) => before + ((performance.now() - from) * 60) / 60_000 + 3;

test('neither the loss of Redis nor its return, emptied, lets a used bucket admit more than one node would', async () => {
  const { nodes, logs } = await createNodes();
  const from = performance.now();
  const times = (count: number) => () => --count < 0;
  let admitted = await hammer(nodes, 'hammered', times(30));
  assert.ok(admitted >= 20);
  await stopServer();
  admitted += await hammer(nodes, 'hammered', () => said(logs, 'unavailable'));
  admitted += await hammer(nodes, 'hammered', times(200));
  assert.ok(admitted <= admitsSince(from, 20), `${admitted} were admitted when Redis was gone`);
  await startServer();
  admitted += await hammer(nodes, 'hammered', () => said(logs, 'available again'));
  admitted += await hammer(nodes, 'hammered', times(200));
  assert.ok(admitted <= admitsSince(from, 20), `${admitted} were admitted when Redis was back`);
  // And no fewer: clients get their full rate.
  assert.ok(admitted >= admitsSince(from, 20) - 12, `only ${admitted} were admitted`);
});

test('a bucket that one node emptied is empty on the others when Redis is unavailable', async () => {
  const { nodes } = await createNodes();
  const from = performance.now();
  let admitted = await hammer([nodes[0]!], 'sticky', () => performance.now() - from > 1_500);
  await stopServer();
  admitted += await hammer(nodes.slice(1), 'sticky', () => performance.now() - from > 2_500);
  assert.ok(admitted <= admitsSince(from, 20), `${admitted} were admitted`);
  await startServer();
});

test('while Redis is unavailable an unused bucket admits its capacity across all nodes, and is as empty when Redis is back', async () => {
  const { nodes, logs } = await createNodes();
  await stopServer();
  await hammer(nodes, 'other', () => said(logs, 'unavailable'));
  const from = performance.now();
  let admitted = 0;
  for (let round = 0; round < 50; round += 1) {
    for (const node of nodes) if ((await node.take('fresh', usual)).allowed) admitted += 1;
  }
  assert.ok(admitted >= 15 && admitted <= admitsSince(from, 20), `${admitted} were admitted`);
  await startServer();
  admitted += await hammer(nodes, 'fresh', () => said(logs, 'available again'));
  assert.ok(admitted <= admitsSince(from, 20), `${admitted} were admitted when Redis was back`);
});

test('each node logs once that Redis is unavailable and once that it is back, and uses it again', async () => {
  const { nodes, logs } = await createNodes();
  await stopServer();
  await hammer(nodes, 'spoken', () => said(logs, 'unavailable'));
  await startServer();
  await hammer(nodes, 'spoken', () => said(logs, 'available again'));
  for (const node of nodes) await isShared(node);
  for (const log of logs) {
    assert.deepEqual(
      log.map((line) => /unavailable|available again/.exec(line)?.[0]),
      ['unavailable', 'available again'],
    );
  }
});

test('a Redis that responds but writes nothing is unavailable', async () => {
  const { nodes, logs } = await createNodes();
  const control = new Redis({ port, lazyConnect: false });
  await control.config('SET', 'maxmemory', '1');
  await hammer(nodes, 'full', () => said(logs, 'unavailable'));
  await delay(500);
  await control.config('SET', 'maxmemory', '0');
  await hammer(nodes, 'full', () => said(logs, 'available again'));
  for (const log of logs) assert.equal(log.length, 2);
  control.disconnect();
});
