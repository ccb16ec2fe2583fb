import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApplication } from './harness/application.ts';
import type { ApiResponse, Sent } from './harness/exchange.ts';
import { furnish } from './harness/furnished.ts';
import {
  bodyOf,
  type Caller,
  callerOf,
  callRoute,
  nameOf,
  pathOf,
  type Route,
  requiredQuery,
  routes,
} from './harness/requests.ts';

/** The whole API with two organizations that have one resource of each kind, for the tests of the route table. */
export const app = await startApplication();
after(() => app.close());
export const ours = await furnish(app, 'ours0marker');
export const theirs = await furnish(app, 'theirs0marker');

const withQuery = (path: string, ...queries: string[]) => {
  const query = queries.filter((one) => one !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
};

/** Calls a route correctly, except for the parts that a test changes. */
export async function attempt(
  route: Route,
  change: { caller?: Caller; id?: string; path?: string; query?: string; sent?: Sent } = {},
): Promise<ApiResponse> {
  const path = withQuery(change.path ?? pathOf(route, ours, change.id), requiredQuery(route), change.query ?? '');
  const response = await callRoute(
    app,
    route,
    change.caller ?? callerOf(route, ours),
    path,
    change.sent ?? bodyOf(route),
  );
  assert.deepEqual(response.wrong, [], `${nameOf(route)} → ${response.status}`);
  assert.ok(response.status < 500, response.text);
  return response;
}

/** Asserts a refusal in the usual form. */
export function assertRefused(response: ApiResponse, status: number, code: string): void {
  assert.equal(`${response.status} ${response.body?.error?.code}`, `${status} ${code}`, response.text);
  assert.ok(response.body.error.message.length > 10);
  assert.equal(response.body.error.request_id, response.headers['x-request-id']);
}

const needsRole = (route: Route) => typeof route.permission === 'object';
export const protectedRoutes = routes.filter((route) => route.permission !== 'public');
export const tokenRoutes = routes.filter(needsRole);

/** Runs one test per route, so that a failure names it. */
export function forEach(list: Route[], guarantee: string, run: (route: Route) => Promise<void>): void {
  describe(guarantee, () => {
    for (const route of list) test(nameOf(route), () => run(route));
  });
}
