import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { app, assertRefused, attempt, forEach, ours, protectedRoutes, theirs } from './contract.fixture.ts';
import type { Sent } from './harness/exchange.ts';
import { callerOf, hasId, isForSessions, pathOf, requiredQuery, routes } from './harness/requests.ts';

forEach(protectedRoutes, 'an unknown query parameter is 400 and named', async (route) => {
  const response = await attempt(route, { query: 'severty=high' });
  assertRefused(response, 400, 'invalid_request');
  assert.match(response.body.error.message, /severty/);
  assert.equal(response.body.error.details[0].field, 'severty');
  assert.equal(response.body.error.details[0].in, 'query');
});

const jsonRoutes = protectedRoutes.filter((route) => route.body);
const bodyless = protectedRoutes.filter((route) => !route.body && !route.rawBody && route.method !== 'GET');

forEach([...jsonRoutes, ...bodyless], 'an unknown body field is 400 and named', async (route) => {
  const json = { ...(route.requestExample as object), staus: 1 };
  const response = await attempt(route, { sent: { json } });
  assertRefused(response, 400, 'invalid_request');
  assert.match(response.body.error.message, /staus/);
});

forEach(jsonRoutes, 'a body of another shape is refused before anything is looked up', async (route) => {
  const json = { 'content-type': 'application/json' };
  const text = JSON.stringify(route.requestExample);
  const cases: Array<[Sent, number, string]> = [
    [{ raw: text, headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    [{ raw: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'unsupported_media_type'],
    [{ raw: text, headers: {} }, 415, 'unsupported_media_type'],
    [{ raw: text.slice(0, -1), headers: json }, 400, 'malformed_json'],
    [{ raw: '{"a":01}', headers: json }, 400, 'malformed_json'],
    [{ raw: Buffer.from([0x22, 0xff, 0x22]), headers: json }, 400, 'malformed_json'],
    [{ raw: '', headers: json }, 400, 'invalid_request'],
    [{}, 400, 'invalid_request'],
    [{ json: [] }, 400, 'invalid_request'],
    [{ json: 'text' }, 400, 'invalid_request'],
    [{ json: 1 }, 400, 'invalid_request'],
    [{ raw: 'null', headers: json }, 400, 'invalid_request'],
    [{ raw: `{"a":"${'x'.repeat(1024 * 1024)}"}`, headers: json }, 413, 'payload_too_large'],
  ];
  for (const [sent, status, code] of cases) {
    assertRefused(await attempt(route, { sent, ...(hasId(route) && { id: 'nothing' }) }), status, code);
  }
});

forEach(
  jsonRoutes.filter((route) => route.method === 'PATCH'),
  'an empty update is 400',
  async (route) => {
    assertRefused(await attempt(route, { sent: { json: {} } }), 400, 'invalid_request');
  },
);

forEach(
  bodyless.filter(({ params }) => params),
  'where no body belongs, an empty one is none and anything else is 400',
  async (route) => {
    const unknown = hasId(route) ? { id: 'nothing' } : { path: pathOf(route, ours).replace('secrets', 'unknown') };
    for (const sent of [{}, { json: {} }, { raw: '', headers: { 'content-type': 'application/json' } }]) {
      assertRefused(await attempt(route, { ...unknown, sent }), 404, 'not_found');
    }
    for (const json of [[], { a: 1 }, 'x', 1, null]) {
      assertRefused(await attempt(route, { ...unknown, sent: { json } }), 400, 'invalid_request');
    }
  },
);

/**
 * The version of an installed scanner is read during the first listing and appears in a later one; a check of the
 * installation contains its time.
 */
const withoutChanging = (text: string) => text.replace(/"(version|checked_at)":(?:null|"[^"]*")/g, '"$1":…');

forEach(
  routes.filter((route) => route.method === 'GET'),
  'a read returns what is described, with and without a trailing slash',
  async (route) => {
    if (route.path.endsWith('/events')) return;
    const plain = await attempt(route);
    assert.equal(plain.status, 200);
    const path = `${pathOf(route, ours)}/`;
    const slashed = await attempt(route, { path });
    assert.equal(withoutChanging(slashed.text), withoutChanging(plain.text));
    const asked = `${path}?${requiredQuery(route)}`;
    const head = await app.call(callerOf(route, ours).token ?? null, 'HEAD', asked, {
      headers: callerOf(route, ours).headers ?? {},
    });
    assert.deepEqual([head.status, head.text], [200, '']);
    const { schema, content = {} } = route.responses[200]!;
    const types = [...Object.keys(content), ...(schema ? ['application/json'] : [])];
    assert.ok(types.includes(String(plain.headers['content-type'])), plain.headers['content-type']);
    assert.equal(plain.headers['cache-control'], 'no-store');
  },
);

const lists = routes.filter((route) => route.query && 'next_cursor' in route.query);

forEach(lists, 'a list takes a limit of 1 to 200, and cursors that it gave', async (route) => {
  const refusedLimits = ['0', '-1', '201', '1.5', 'x', '', '1e1', '9999999999999999999', '1&limit=2'];
  for (const limit of refusedLimits) {
    const response = await attempt(route, { query: `limit=${limit}` });
    assertRefused(response, 400, 'invalid_request');
    assert.match(response.body.error.message, /limit/);
  }
  for (const cursor of ['', 'x', 'AAAA', 'a'.repeat(500), 'a'.repeat(3_000), '..', '🔑', '\n']) {
    assertRefused(await attempt(route, { query: `next_cursor=${encodeURIComponent(cursor)}` }), 400, 'invalid_cursor');
  }
  assert.deepEqual(Object.keys((await attempt(route, { query: 'limit=200' })).body), ['data', 'next_cursor']);
});

forEach(lists, 'a cursor is good for its own list and organization only, and walks to the end', async (route) => {
  const seen: string[] = [];
  let query = 'limit=1';
  for (let pages = 0; pages < 30; pages++) {
    const { data, next_cursor } = (await attempt(route, { query })).body;
    assert.ok(data.length <= 1);
    seen.push(...data.map((one: object) => JSON.stringify(one)));
    if (next_cursor === null) break;
    assert.match(next_cursor, /^[A-Za-z0-9_-]+$/);
    query = `limit=1&next_cursor=${next_cursor}`;
    const changed = `${next_cursor.slice(0, -1)}${next_cursor.endsWith('A') ? 'B' : 'A'}`;
    assertRefused(await attempt(route, { query: `next_cursor=${changed}` }), 400, 'invalid_cursor');
    const abroad = { caller: callerOf(route, theirs), path: pathOf(route, theirs), query };
    assertRefused(await attempt(route, abroad), 400, 'invalid_cursor');
    const another = lists.find((one) => one !== route && isForSessions(one) === isForSessions(route));
    if (another) assertRefused(await attempt(another, { query }), 400, 'invalid_cursor');
  }
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(
    seen,
    (await attempt(route, { query: 'limit=200' })).body.data.map((one: object) => JSON.stringify(one)),
  );
});

describe('another method is 405 and lists the allowed ones', () => {
  const paths = new Set(routes.map((route) => route.path));
  for (const path of paths) {
    test(path, async () => {
      const here = routes.filter((route) => route.path === path);
      const allowed: string[] = here.map((route) => route.method);
      if (allowed.includes('GET')) allowed.push('HEAD');
      const refused = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].filter(
        (one) => !allowed.includes(one),
      );
      for (const method of refused) {
        for (const [target, json] of [
          [pathOf(here[0]!, ours), undefined],
          [`${pathOf(here[0]!, ours, 'x')}/?q=1`, {}],
        ] as const) {
          const response = await app.call(ours.people.owner.token, method, target, {
            json: method === 'TRACE' ? undefined : json,
          });
          assertRefused(response, 405, 'method_not_allowed');
          assert.equal(response.headers.allow, allowed.toSorted().join(', '));
        }
        const { status } = await app.call(null, method, pathOf(here[0]!, ours));
        // No route has TRACE: it is refused for every caller, before anything is read.
        assert.equal(status, method === 'TRACE' ? 405 : 401, `${method} without a token`);
      }
    });
  }
});

test('an unknown path is 404 with a credential, and 401 without', async () => {
  for (const path of [
    '',
    '/',
    '/nothing',
    '/findings/a/b/c',
    '/Findings',
    '/findings%2f',
    '/%',
    '/findings/%zz',
    '//findings',
  ]) {
    const known = await app.call(ours.people.owner.token, 'GET', path);
    assertRefused(known, 404, 'not_found');
    assertRefused(await app.call(null, 'GET', path), 401, 'unauthenticated');
  }
});
