import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setImmediate as immediately } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import Type from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant, createTokenFor, type Person } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { defineRoute } from '../../context.ts';
import { createMetrics } from '../metrics.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limit.ts';
import { ProcessorBudget } from './processor-budget.ts';

/** Keeps this thread busy for this amount of processor time. */
function burn(ms: number): void {
  const began = process.threadCpuUsage();
  const used = () => {
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1000;
  };
  while (used() < ms);
}

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const shared = {
  method: 'GET',
  tag: 'Test',
  summary: 'Test',
  description: 'Test.',
  permission: { role: 'viewer', scope: 'findings:read' },
} as const;
const done = { 200: { schema: Type.Object({}), description: 'Done.' } };

const routes = [
  defineRoute({
    ...shared,
    path: '/light',
    operationId: 'light',
    responses: done,
    errors: [],
    handler: async ({ context, actor }) => {
      await context.database.single(actor.orgId, { text: 'SELECT 1' });
      return {};
    },
  }),
  defineRoute({
    ...shared,
    path: '/greedy',
    operationId: 'greedy',
    responses: done,
    errors: [],
    handler: async ({ context, actor }) => {
      await context.database.single(actor.orgId, { text: 'SELECT 1' });
      burn(100);
      return {};
    },
  }),
  defineRoute({
    ...shared,
    path: '/statement',
    operationId: 'statement',
    responses: done,
    errors: [],
    query: { text: Type.String() },
    handler: async ({ context, actor, query }) => {
      await context.database.single(actor.orgId, { text: query.text });
      return {};
    },
  }),
  defineRoute({
    ...shared,
    path: '/rows',
    operationId: 'rows',
    responses: done,
    errors: [],
    handler: async ({ context, actor }) => {
      await context.database.single(actor.orgId, {
        text: "SELECT n, repeat('x', 40), now() FROM generate_series(1, 200000) AS n",
      });
      return {};
    },
  }),
  defineRoute({
    ...shared,
    path: '/stream',
    operationId: 'stream',
    responses: { 200: { content: { 'text/csv': Type.String() }, description: 'Done.' } },
    errors: [],
    handler: async ({ context, actor, reply }) => {
      reply.header('content-type', 'text/csv');
      const pieces = async function* () {
        for (let piece = 0; piece < 8; piece += 1) {
          if (piece < 4) await context.database.single(actor.orgId, { text: 'SELECT 1' });
          burn(50);
          if (piece >= 3) await immediately();
          yield 'x'.repeat(100_000);
        }
      };
      return Readable.from(pieces(), { objectMode: false });
    },
  }),
];

/** So few that hardly any requests are refilled during a test. */
const rate = { requestsPerMinute: 1, burstPerMinute: 1_001 };

let db: TestDatabase;
let admin: pg.Client;
let node: Node;
let now = 0;
const metrics = createMetrics();
const written: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void written.push(line) });
const budget = new ProcessorBudget(
  createMemoryRateLimiter(() => now),
  { credential: 0.5, organization: 1.5 },
  { log, metrics },
);
before(async () => {
  db = await createTestDatabase();
  admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  node = await createTestNode(db.database, routes, rate, {}, undefined, {}, {}, null, { budget, metrics });
});
after(async () => {
  budget.close();
  await node.close();
  await admin.end();
  await db.drop();
});

/** Advances the clock of the budget, after all pending charges have been added to it. */
function waitFor(seconds: number): void {
  budget.close();
  now += seconds * 1000;
}

/** The charged seconds of a kind, once no request runs. */
async function charged(kind: string): Promise<number> {
  budget.close();
  const text = await metrics.registry.metrics();
  return Number(new RegExp(`processor_seconds_total\\{kind="${kind}"\\} (.+)`).exec(text)![1]);
}

const refusals = async (name: string) => {
  const text = await metrics.registry.metrics();
  return Number(new RegExp(`processor_refusals_total\\{budget="${name}"\\} (.+)`).exec(text)![1]);
};

const lines = () => written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'processor budget exceeded');
const requestsLeft = (headers: Record<string, unknown>) => Number(/;r=(\d+);/.exec(String(headers.ratelimit))![1]);

test('a greedy credential is refused, none of its eight neighbours is, and their requests become cheap again', async () => {
  const neighbours: Person[] = [];
  for (let count = 0; count < 8; count += 1) neighbours.push(await createTenant(db.database));
  const greedy = await createTenant(db.database);
  const round = async () => {
    const began = cpuMs();
    const answers = await Promise.all([
      ...neighbours.map(({ token }) => call(node, token, 'GET', '/light')),
      call(node, greedy.token, 'GET', '/greedy'),
    ]);
    return { statuses: answers.map(({ status }) => status), last: answers.at(-1)!, ms: cpuMs() - began };
  };
  const rounds = [];
  for (let count = 0; count < 12; count += 1) rounds.push(await round());
  for (const { statuses } of rounds) assert.deepEqual(new Set(statuses.slice(0, 8)), new Set([200]));
  const served = rounds.filter(({ last }) => last.status === 200);
  const refused = rounds.filter(({ last }) => last.status === 429);
  // Half a second of budget at a fifth of a second each: with the overhead of a request, the sixth is the last.
  assert.ok(served.length >= 4 && served.length <= 6, `${served.length} were served`);
  assert.deepEqual(rounds.slice(served.length), refused);
  const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
  assert.ok(median(refused.map(({ ms }) => ms)) < median(served.map(({ ms }) => ms)) / 2);
  const { body, headers } = refused[0]!.last;
  assert.equal(body.error.code, 'rate_limited');
  assert.match(body.error.message, /processor time/);
  const [line, ...further] = lines();
  assert.equal(line.orgId, greedy.orgId);
  assert.equal(line.userId, greedy.userId);
  assert.match(line.credentialId, /^tok_/);
  assert.equal(line.budget, 'credential');
  assert.deepEqual(further, [], 'one line, however many are refused');
  assert.equal(await refusals('credential'), refused.length);
  waitFor(Number(headers['retry-after']));
  assert.equal((await call(node, greedy.token, 'GET', '/light')).status, 200, 'waiting for Retry-After was enough');
});

test('the credentials of an organization share its budget', async () => {
  waitFor(600);
  const owner = await createTenant(db.database);
  const tokens = [owner.token];
  for (let count = 0; count < 4; count += 1) tokens.push(await createTokenFor(db.database, owner.orgId, owner.userId));
  for (const token of tokens) for (let count = 0; count < 4; count += 1) await call(node, token, 'GET', '/greedy');
  const fresh = await createTokenFor(db.database, owner.orgId, owner.userId);
  assert.equal((await call(node, fresh, 'GET', '/light')).status, 429);
  assert.equal((await call(node, (await createTenant(db.database)).token, 'GET', '/light')).status, 200);
});

test('a refusal by the budget does not count against the rate limit, and reports the remaining requests', async () => {
  waitFor(600);
  const { token } = await createTenant(db.database);
  const answers = [];
  for (let count = 0; count < 9; count += 1) answers.push(await call(node, token, 'GET', '/greedy'));
  const served = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(served > 0 && refused.length > 1);
  for (const { headers } of refused) assert.equal(requestsLeft(headers), 1_000 - served);
  waitFor(Number(refused.at(-1)!.headers['retry-after']));
  assert.equal(requestsLeft((await call(node, token, 'GET', '/light')).headers), 1_000 - served - 1);
});

test('requests that arrive together are refused as soon as the first of them have used up the budget', async () => {
  waitFor(600);
  const { token } = await createTenant(db.database);
  await call(node, token, 'GET', '/light');
  const answers = await Promise.all(Array.from({ length: 40 }, () => call(node, token, 'GET', '/greedy')));
  const served = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 40 - served);
  // Retry-After is at most a minute.
  for (const { headers } of refused) assert.ok(Number(headers['retry-after']) <= 60);
  // Besides the requests that fit the budget, one can have started on each connection of the pool.
  assert.ok(served <= 20, `${served} of 40 were served`);
  waitFor(60);
  const { status, headers } = await call(node, token, 'GET', '/light');
  assert.equal(status, 200);
  assert.equal(requestsLeft(headers), 1_000 - served - 2, 'those that were refused took no request of the rate limit');
});

test('a request whose client disconnects is charged for what it does afterwards', async () => {
  waitFor(600);
  const { token } = await createTenant(db.database);
  const address = await node.app.listen({ port: 0, host: '127.0.0.1' });
  const before = await charged('database');
  const stop = new AbortController();
  const text = encodeURIComponent('SELECT count(*) FROM generate_series(1, 3000000) /* left */');
  const request = fetch(`${address}/api/v1/statement?text=${text}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const isRunning = async () => {
    const sql = `SELECT FROM pg_stat_activity WHERE query LIKE '%generate_series(1, 3000000)%' AND state = 'active' AND pid <> pg_backend_pid()`;
    return ((await admin.query(sql)).rowCount ?? 0) > 0;
  };
  await within(20_000, isRunning);
  stop.abort();
  await assert.rejects(request);
  await within(20_000, async () => !(await isRunning()) && (await charged('database')) - before > 0.1);
});

test('rows are charged while they are read, before the handler has them', async () => {
  waitFor(600);
  const { token } = await createTenant(db.database);
  const before = await charged('handler');
  const began = cpuMs();
  assert.equal((await call(node, token, 'GET', '/rows')).status, 200);
  const usedSeconds = (cpuMs() - began) / 1000;
  const seconds = (await charged('handler')) - before;
  assert.ok(seconds > usedSeconds / 3, `${seconds} s of ${usedSeconds} s that it took to read 200,000 rows`);
});

test('a statement is charged for its work, and not for waiting for a lock', async () => {
  waitFor(600);
  const { token } = await createTenant(db.database);
  const run = (text: string) => call(node, token, 'GET', `/statement?text=${encodeURIComponent(text)}`);
  const before = await charged('database');
  assert.equal((await run('SELECT count(*) FROM generate_series(1, 300000)')).status, 200);
  const worked = (await charged('database')) - before;
  assert.ok(worked > 0.01, `${worked} s for 300,000 rows`);
  waitFor(600);
  await admin.query('SELECT pg_advisory_lock(4711)');
  const waiting = run('SELECT pg_advisory_xact_lock(4711)');
  await within(20_000, async () => {
    const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND now() - query_start > interval '1 second'`;
    return ((await admin.query(sql)).rowCount ?? 0) > 0;
  });
  await admin.query('SELECT pg_advisory_unlock(4711)');
  assert.equal((await waiting).status, 200);
  const waited = (await charged('database')) - before - worked;
  assert.ok(waited < 0.3, `${waited} s were charged for a second of waiting`);
});

test('a stream is charged for what it does while it is read', async () => {
  waitFor(600);
  const { token } = await createTenant(db.database);
  const before = await charged('handler');
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await node.app.inject({ method: 'GET', url: '/api/v1/stream', headers })).statusCode, 200);
  const seconds = (await charged('handler')) - before;
  assert.ok(seconds > 0.3 && seconds < 0.8, `${seconds} s for a stream of 0.4 s`);
});
