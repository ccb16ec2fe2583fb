import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Answer, type Sent, startApplication } from './harness/application.ts';
import { furnish } from './harness/furnished.ts';
import {
  bodyOf,
  type Caller,
  callerOf,
  callRoute,
  isForSessions,
  nameOf,
  pathOf,
  type Route,
  requiredQuery,
  routes,
} from './harness/requests.ts';

/** The whole API with two organizations that have one of everything: what the tests of the route table share. */
export const app = await startApplication();
after(() => app.close());
export const ours = await furnish(app, 'ours0marker');
export const theirs = await furnish(app, 'theirs0marker');

const withQuery = (path: string, ...queries: string[]) => {
  const query = queries.filter((one) => one !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
};

/** Calls a route as it should be called, but for what a test changes. */
export async function attempt(
  route: Route,
  change: { caller?: Caller; id?: string; path?: string; query?: string; sent?: Sent } = {},
): Promise<Answer> {
  const path = withQuery(change.path ?? pathOf(route, ours, change.id), requiredQuery(route), change.query ?? '');
  const answer = await callRoute(
    app,
    route,
    change.caller ?? callerOf(route, ours),
    path,
    change.sent ?? bodyOf(route),
  );
  assert.deepEqual(answer.wrong, [], `${nameOf(route)} → ${answer.status}`);
  assert.ok(answer.status < 500, answer.text);
  return answer;
}

/** A refusal in the one form that all have. */
export function assertRefused(answer: Answer, status: number, code: string): void {
  assert.equal(`${answer.status} ${answer.body?.error?.code}`, `${status} ${code}`, answer.text);
  assert.ok(answer.body.error.message.length > 10);
  assert.equal(answer.body.error.request_id, answer.headers['x-request-id']);
}

const isTokens = (route: Route) => !isForSessions(route) && route.permission !== 'public';
export const protectedRoutes = routes.filter((route) => route.permission !== 'public');
export const tokenRoutes = routes.filter(isTokens);

/** One test a route, so that a failure names it. */
export function forEach(list: Route[], guarantee: string, run: (route: Route) => Promise<void>): void {
  describe(guarantee, () => {
    for (const route of list) test(nameOf(route), () => run(route));
  });
}
