import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after } from 'node:test';
import { outsideRoutes } from '../server/api.ts';
import { app, forEach, ours, protectedRoutes } from './contract.fixture.ts';
import { threadCpuTimeMs } from './harness/cpu-time.ts';
import { exchange, type Sent } from './harness/exchange.ts';
import { callerOf, pathOf, type Route, requiredQuery } from './harness/requests.ts';
import { worstBodiesOf, worstQueriesOf } from './worst-bodies.fixture.ts';

/** The maximum processor time of a request in the API's thread, including ours for sending it. */
const maxCpuMs = 50;

const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

const shortened = (text = '') => (text.length > 130 ? `${text.slice(0, 60)}…${text.slice(-60)}` : text);

/** Asserts that a request is cheap. Other load may slow it down: the best of several attempts counts. */
async function assertCheap(method: string, path: string, sent: Sent): Promise<void> {
  const what = `${method} ${shortened(path)} ${shortened(String(sent.raw ?? ''))}`;
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && best > maxCpuMs; attempt += 1) {
    const start = threadCpuTimeMs();
    const { status, text } = await exchange(app.origin, agent, method, path, sent);
    best = Math.min(best, threadCpuTimeMs() - start);
    assert.ok(status < 500, `${what}: ${status} ${text}`);
    assert.ok(status < 400 || text.length < 20_000, `${what}: an error of ${text.length} characters`);
  }
  assert.ok(best <= maxCpuMs, `${what}: ${Math.round(best)} ms of processor time`);
}

function headersFor(route: Route): Record<string, string> {
  if (route.permission === 'public') return {};
  const { token, headers } = callerOf(route, ours);
  return headers ?? { authorization: `Bearer ${token}` };
}

const addressOf = (route: Route) => (route.root ? route.path : `/api/v1${pathOf(route, ours)}`);
const all = [...protectedRoutes, ...outsideRoutes];

const writes = all.filter(({ method, rawBody }) => method !== 'GET' && !rawBody);

forEach(writes, `the worst body costs less than ${maxCpuMs} ms, and is never our error`, async (route) => {
  const headers = { ...headersFor(route), 'content-type': 'application/json' };
  const path = `${addressOf(route)}?${requiredQuery(route)}`.replace(/\?$/, '');
  for (const raw of worstBodiesOf(route)) await assertCheap(route.method, path, { raw, headers });
});

const searches = all.filter(({ query, method }) => query && method === 'GET');

forEach(searches, `the worst query string costs less than ${maxCpuMs} ms, and is never our error`, async (route) => {
  const headers = headersFor(route);
  for (const query of worstQueriesOf(route)) await assertCheap('GET', `${addressOf(route)}?${query}`, { headers });
});
