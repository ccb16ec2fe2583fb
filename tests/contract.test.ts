import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isAtLeast, type Role, roles, type Scope, scopes } from '../server/organization/roles.ts';
import { newId } from '../server/platform/id.ts';
import {
  app,
  assertRefused,
  attempt,
  forEach,
  ours,
  protectedRoutes,
  theirs,
  tokenRoutes,
} from './contract.fixture.ts';
import type { ApiResponse, Sent } from './harness/exchange.ts';
import { type Furnished, furnish, signIn } from './harness/furnished.ts';
import { createTokenFor } from './harness/people.ts';
import { bodyOf, callerOf, hasId, isForSessions, nameOf, pathOf, type Route, routes } from './harness/requests.ts';

async function spoiledToken(change: string): Promise<string> {
  const { orgId, people } = ours;
  const token = await createTokenFor(app.database, orgId, people.owner.userId);
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  await admin.query(`UPDATE api_tokens SET ${change} WHERE id = (SELECT max(id) FROM api_tokens WHERE org_id = $1)`, [
    orgId,
  ]);
  await admin.end();
  return token;
}

const expired = await spoiledToken(`expires_at = now() - interval '1 minute'`);
const revoked = await spoiledToken('revoked_at = now()');
const good = ours.people.owner.token;
const credentials: Array<[what: string, authorization: string, code: string]> = [
  ['no token of ours', 'Bearer hello', 'unauthenticated'],
  ['a token with a wrong checksum', `Bearer ${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`, 'unauthenticated'],
  ['another scheme', `Basic ${Buffer.from(`user:${good}`).toString('base64')}`, 'unauthenticated'],
  ['an expired token', `Bearer ${expired}`, 'token_expired'],
  ['a revoked token', `Bearer ${revoked}`, 'token_revoked'],
];

forEach(protectedRoutes, 'without a token it is 401 and says how to authenticate', async (route) => {
  const response = await attempt(route, { caller: {} });
  assertRefused(response, 401, 'unauthenticated');
  assert.match(String(response.headers['www-authenticate']), /^Bearer/);
});

for (const [what, authorization, code] of credentials) {
  forEach(protectedRoutes, `with ${what} it is 401 ${code}`, async (route) => {
    const response = await attempt(route, { caller: { headers: { authorization } } });
    assertRefused(response, 401, code);
    assert.match(String(response.headers['www-authenticate']), /^Bearer/);
  });
}

forEach(tokenRoutes, 'with too low a role it is 403, whatever else is wrong', async (route) => {
  const { role } = route.permission as { role: Role };
  for (const lower of roles.filter((one) => !isAtLeast(one, role))) {
    const caller = { token: ours.people[lower].token };
    assertRefused(await attempt(route, { caller }), 403, 'forbidden');
    assertRefused(await attempt(route, { caller, query: 'unknown=1' }), 403, 'forbidden');
    assertRefused(await attempt(route, { caller, id: 'nothing' }), 403, 'forbidden');
  }
});

forEach(
  tokenRoutes,
  'a token with every scope but the needed one is 403, and one with it alone is let in',
  async (route) => {
    const { role, scope } = route.permission as { role: Role; scope: Scope };
    const { userId } = ours.people[role];
    const tokenWith = (some: Scope[]) => createTokenFor(app.database, ours.orgId, userId, { scopes: some });
    const others = await tokenWith(scopes.filter((one) => one !== scope));
    assertRefused(await attempt(route, { caller: { token: others } }), 403, 'insufficient_scope');
    // An error from a later check shows that the permission was sufficient, and changes nothing.
    const response = await attempt(route, { caller: { token: await tokenWith([scope]) }, query: 'unknown=1' });
    assertRefused(response, 400, 'invalid_request');
  },
);

forEach(routes.filter(isForSessions), 'a token is 403 where a person must be signed in', async (route) => {
  assertRefused(await attempt(route, { caller: { token: good } }), 403, 'session_required');
});

forEach(routes.filter(hasId), 'the ids of another organization are 404 and reveal nothing of it', async (route) => {
  const response = await attempt(route, { id: undefined, path: pathOf(route, theirs) });
  assertRefused(response, 404, 'not_found');
  assert.ok(!response.text.includes(theirs.marker), response.text);
});

forEach(
  routes.filter((route) => route.method === 'GET'),
  'a read returns nothing of another organization',
  async (route) => {
    const response = await attempt(route, route.path.endsWith('/events') ? { id: newId('scan') } : {});
    assert.ok(!response.text.includes(theirs.marker), response.text);
    for (const id of [theirs.orgId, ...Object.values(theirs.ids)]) assert.ok(!response.text.includes(id), `has ${id}`);
  },
);

const otherKinds = Object.values(ours.ids);
const shapeless = ['nothing', '1', '-1', 'null', '%00', '%ff', '..%2f..%2fetc', "'%20OR%201=1--", '%F0%9F%94%91'];

forEach(routes.filter(hasId), 'an id of another shape or kind, and one that nobody has, is 404', async (route) => {
  const [before = '', after = ''] = pathOf(route, ours, '\0').split('\0');
  const ownId = pathOf(route, ours)
    .slice(before.length)
    .slice(0, after.length === 0 ? undefined : -after.length);
  const prefix = ownId.split('_')[0] as 'fnd';
  const ids = [
    ...shapeless,
    ...otherKinds.filter((id) => id !== ownId && id.split('_')[0] !== prefix),
    ...[newId(prefix), ownId.toUpperCase(), `${ownId}a`, ownId.slice(0, -1), `${prefix}_${'z'.repeat(26)}`],
    ...[`%20${ownId}`, `${ownId}%0a`, 'x'.repeat(5_000)],
  ];
  for (const id of ids) assertRefused(await attempt(route, { id }), 404, 'not_found');
});

const writes = protectedRoutes.filter((route) => route.method !== 'GET');

const isRepeatable = (route: Route) => route.method === 'POST' && !isForSessions(route);

type Example = { mine: Furnished; sent: Sent; response: ApiResponse };
const examples = new Map<Route, Promise<Example>>();

/** Sends the example of a route once, in a separate organization, which takes half a second to create. */
function sendExample(route: Route): Promise<Example> {
  const send = async () => {
    const mine = await furnish(app, `mine${routes.indexOf(route)}`);
    const sent = { ...bodyOf(route), ...(isRepeatable(route) && { headers: { 'idempotency-key': 'one' } }) };
    const response = await attempt(route, { path: pathOf(route, mine), caller: callerOf(route, mine), sent });
    return { mine, sent, response };
  };
  const example = examples.get(route) ?? send();
  examples.set(route, example);
  return example;
}

forEach(writes, 'its own example gets the described response', async (route) => {
  const { response } = await sendExample(route);
  const success = Object.keys(route.responses).map(Number);
  // An example may name a member who does not exist or an address in use: then the refusal must be described. Only
  // owners of the first organization can load feeds.
  const refusals = route.path.startsWith('/feeds/') ? [403] : [400, 404, 409];
  assert.ok(success.includes(response.status) || refusals.includes(response.status), response.text);
});

forEach(
  writes,
  'a write says no more of another organization when it names its ids in the body or the query',
  async (route) => {
    const properties = { ...(route.body as { properties?: object } | undefined)?.properties, ...route.query };
    const { people, dataSourceId, ids } = theirs;
    const bodies: Record<string, object> = {
      assignee: { assignee: people.viewer.userId },
      ids: { ids: [ids['/findings']], status: 'triaged' },
      filter: { filter: { data_source: [dataSourceId] }, status: 'triaged' },
      data_sources: { ...(route.requestExample as object), data_sources: [dataSourceId] },
    };
    for (const [field, json] of Object.entries(bodies)) {
      if (!(field in properties)) continue;
      const response = await attempt(route, {
        sent: { json: 'ids' in properties && field === 'assignee' ? { ...json, ids: [ours.ids['/findings']] } : json },
      });
      assert.ok(!response.text.includes(theirs.marker));
      if (response.status === 200) assert.deepEqual([response.body.updated, response.body.matched], [0, 0]);
      else assert.ok([400, 404].includes(response.status), response.text);
    }
    if ('data_source' in properties) {
      const response = await attempt(route, { query: `data_source=${dataSourceId}` });
      assertRefused(response, 409, 'no_matching_data_source');
      assert.ok(!response.text.includes(theirs.marker));
    }
  },
);

test('an Idempotency-Key returns the first response again, and another body with it is 409', async () => {
  for (const route of routes.filter(isRepeatable)) {
    const { mine, sent, response: first } = await sendExample(route);
    if (first.status >= 300) continue;
    const call = (more: Sent = {}) =>
      attempt(route, { path: pathOf(route, mine), caller: callerOf(route, mine), sent: { ...sent, ...more } });
    const second = await call();
    assert.deepEqual([second.status, second.text], [first.status, first.text], nameOf(route));
    assert.equal(second.headers['idempotency-replayed'], 'true');
    if (!route.body) continue;
    const other = {
      ...(route.requestExample as object),
      ...('comment' in (route.requestExample as object) ? { comment: 'other' } : { name: 'other' }),
    };
    const third = await call({ json: other });
    assert.ok([400, 409].includes(third.status), third.text);
  }
});

test('a session in one organization gives no access to another', async () => {
  const session = await signIn(app, theirs.people.owner.email);
  const response = await app.call(null, 'GET', `/findings/${ours.ids['/findings']}`, { headers: session });
  assertRefused(response, 404, 'not_found');
});
