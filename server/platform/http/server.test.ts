import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { createLibrary, libraryRoutes } from './library.fixture.ts';

const { app, context, logged } = await createLibrary();
after(() => app.close());

type Failure = {
  error: { code: string; message: string; details?: { in: string; field: string }[]; request_id: string };
};

async function call(
  method: string,
  url: string,
  options: InjectOptions & { token?: string | null; json?: unknown } = {},
) {
  const { token = 'analyst', json, headers = {}, ...rest } = options;
  const response = await app.inject({
    method: method as 'GET',
    url: `/api/v1${url}`,
    ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    ...rest,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const body = response.body === '' ? undefined : JSON.parse(response.body);
  return { status: response.statusCode, headers: response.headers, body, error: (body as Failure | undefined)?.error };
}

const novel = { title: 'Cryptonomicon', genre: 'novel' };

test('a route without a permission prevents the start', async () => {
  const { permission: _, ...open } = libraryRoutes[0]!;
  const options = { routes: [open as (typeof libraryRoutes)[0]], document: { info: { title: '' } } };
  await assert.rejects(createLibrary(options), /declares no permission/);
});

test('every response has a request id, and errors repeat it', async () => {
  const response = await call('GET', '/nowhere');
  assert.match(String(response.headers['x-request-id']), /^req_/);
  assert.equal(response.error?.request_id, response.headers['x-request-id']);
  const own = await call('GET', '/books', { headers: { 'x-request-id': 'abc-123' } });
  assert.equal(own.headers['x-request-id'], 'abc-123');
  const unsafe = await call('GET', '/books', { headers: { 'x-request-id': 'a b<' } });
  assert.match(String(unsafe.headers['x-request-id']), /^req_/);
});

test('a creation returns 201 with its address, which can be read', async () => {
  const created = await call('POST', '/books', { json: novel });
  assert.equal(created.status, 201);
  assert.equal(created.headers.location, `/api/v1/books/${created.body.id}`);
  assert.equal(created.headers['content-type'], 'application/json');
  assert.equal((await call('GET', `/books/${created.body.id}`)).body.title, 'Cryptonomicon');
  assert.equal((await call('GET', `/books/${created.body.id}/`)).status, 200, 'a trailing slash');
});

test('checks run in order: authentication, path and method, permission, shape, existence', async () => {
  assert.equal((await call('GET', '/nowhere', { token: null })).status, 401);
  assert.equal((await call('DELETE', '/books', { token: null })).status, 401);
  assert.equal((await call('POST', '/books', { token: null, payload: '{' })).status, 401);
  assert.equal(
    (await call('POST', '/nowhere', { payload: '{', headers: { 'content-type': 'application/json' } })).status,
    404,
  );
  assert.equal((await call('DELETE', '/books', { token: 'viewer' })).status, 405);
  assert.equal((await call('POST', '/books', { token: 'viewer', json: { wrong: 1 } })).status, 403);
  assert.equal((await call('PATCH', '/books/none', { json: {} })).status, 400);
  assert.equal((await call('PATCH', '/books/none', { json: { title: 'x' } })).status, 404);
});

test('a failed authentication says how to authenticate', async () => {
  const response = await call('GET', '/books', { token: null });
  assert.equal(response.headers['www-authenticate'], 'Bearer');
  assert.equal(response.error?.code, 'unauthenticated');
});

test('a method that a path does not have is 405 with the methods that it has', async () => {
  const response = await call('DELETE', '/books/book_1/');
  assert.equal(response.status, 405);
  assert.equal(response.headers.allow, 'GET, HEAD, PATCH');
  assert.equal((await call('OPTIONS', '/books')).status, 405);
  assert.equal((await call('POST', '/nowhere', { json: {} })).status, 404);
});

test('HEAD returns what GET does, without the body', async () => {
  const response = await call('HEAD', '/books');
  assert.equal(response.status, 200);
  assert.equal(response.body, undefined);
});

for (const path of [
  '/%',
  '/books/%ff',
  '/../healthz',
  '/books/..%2f..%2fhealthz',
  '/books/%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//',
  '/books/a%5cb',
  `/books/${'x'.repeat(5000)}`,
  '/books/%ED%A0%80',
  '',
]) {
  test(`the path "${path.slice(0, 30)}" is 404, and 401 without a token`, async () => {
    assert.equal((await call('GET', path)).error?.code, 'not_found');
    // The test client resolves these to paths outside the prefix, where no authentication is required.
    if (/^\/(\.\.|%2e)/.test(path)) return;
    assert.equal((await call('GET', path, { token: null })).error?.code, 'unauthenticated');
  });
}

const wrongBodies: [string, unknown, string, RegExp][] = [
  ['an unknown field', { ...novel, colour: 'red' }, 'colour', /is not a known field: known are title, genre/],
  ['a missing field', { title: 'x' }, 'genre', /is required/],
  ['another value', { ...novel, genre: 'poem' }, 'genre', /^genre: must be one of novel, essay$/],
  ['a number in quotes', { ...novel, pages: '12' }, 'pages', /must be a whole number/],
  ['a fraction', { ...novel, pages: 1.5 }, 'pages', /must be a whole number/],
  ['too large a number', { ...novel, pages: 10000 }, 'pages', /must be between 1 and 9999/],
  ['too long a text', { ...novel, title: 'x'.repeat(41) }, 'title', /must have 1 to 40 characters/],
  ['a bad email address', { ...novel, contact: 'nobody' }, 'contact', /must be an email address/],
  ['another type than string or null', { ...novel, contact: 3 }, 'contact', /must be a string or null/],
  [
    'an unknown field deep inside',
    { ...novel, places: [{ shelf: 'a' }, { shelf: 'b', row: 1 }] },
    'places[1].row',
    /is not a known field/,
  ],
  ['an array', [], 'body', /must be an object/],
  ['NUL in a text', { ...novel, title: 'a\0b' }, 'title', /NUL/],
  ['half of a surrogate pair', { ...novel, title: '\ud800' }, 'title', /surrogate/],
];
for (const [what, json, field, message] of wrongBodies) {
  test(`${what} in a body is 400 naming the field`, async () => {
    const response = await call('POST', '/books', { json });
    assert.equal(response.status, 400);
    assert.equal(response.error?.code, 'invalid_request');
    assert.equal(response.error?.details?.[0]?.field, field);
    assert.equal(response.error?.details?.[0]?.in, 'body');
    assert.match(response.error?.message ?? '', message);
  });
}

test('several errors are reported together', async () => {
  const { error } = await call('POST', '/books', { json: { title: '', genre: 'x', colour: 1 } });
  assert.deepEqual(error?.details?.map((detail) => detail.field).sort(), ['colour', 'genre', 'title']);
  assert.match(error?.message ?? '', /and 2 more/);
});

test('keys that reach into prototypes are refused', async () => {
  for (const payload of [
    '{"title":"a","genre":"novel","__proto__":{"x":1}}',
    '{"title":"a","genre":"novel","constructor":{"prototype":{}}}',
  ]) {
    const response = await call('POST', '/books', { payload, headers: { 'content-type': 'application/json' } });
    assert.equal(response.status, 400);
  }
  assert.equal((await call('GET', '/books?__proto__=1')).status, 400);
  assert.equal((await call('GET', '/books?constructor=1')).error?.details?.[0]?.field, 'constructor');
});

test('invalid JSON is 400 malformed_json, without quoting it', async () => {
  for (const payload of ['{', '{"title": secretvalue}', '', Buffer.from([0x22, 0xff, 0x22])]) {
    const response = await call('POST', '/books', { payload, headers: { 'content-type': 'application/json' } });
    assert.equal(response.status, 400);
    assert.equal(response.error?.code, payload === '' ? 'invalid_request' : 'malformed_json');
    assert.doesNotMatch(response.error?.message ?? '', /secretvalue/);
  }
});

test('endless nesting is 400', async () => {
  const payload = '['.repeat(30_000);
  const closed = payload + ']'.repeat(30_000);
  const headers = { 'content-type': 'application/json' };
  assert.equal((await call('POST', '/books', { payload, headers })).error?.code, 'malformed_json');
  assert.equal((await call('POST', '/books', { payload: closed, headers })).status, 400);
});

test('a body of another type is 415, and one above 64 KiB 413', async () => {
  assert.equal(
    (await call('POST', '/books', { payload: 'a=1', headers: { 'content-type': 'text/plain' } })).status,
    415,
  );
  assert.equal((await call('POST', '/books', { payload: 'a=1' })).status, 415);
  const large = await call('POST', '/books', { json: { title: 'x'.repeat(64 * 1024) } });
  assert.equal(large.status, 413);
  assert.equal(large.error?.code, 'payload_too_large');
});

test('an endpoint without a body accepts no body, an empty one or {}, and nothing else', async () => {
  const url = '/books/book_1/lend';
  const json = { 'content-type': 'application/json' };
  assert.equal((await call('POST', url)).status, 204);
  assert.equal((await call('POST', url, { json: {} })).status, 204);
  assert.equal((await call('POST', url, { payload: '', headers: json })).status, 204);
  assert.equal(
    (await call('POST', url, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status,
    204,
  );
  for (const payload of ['{"a":1}', '[]', 'null', '"x"', '0']) {
    assert.equal((await call('POST', url, { payload, headers: json })).status, 400, payload);
  }
  assert.equal((await call('POST', url, { json: { to: 'x' } })).error?.details?.[0]?.field, 'to');
});

test('a PATCH without a field is 400 and lists the fields', async () => {
  assert.match((await call('PATCH', '/books/book_1', { json: {} })).error?.message ?? '', /at least one of title/);
});

const wrongQueries: [string, string, RegExp][] = [
  ['limit=0', 'limit', /between 1 and 200/],
  ['limit=201', 'limit', /between 1 and 200/],
  ['limit=ten', 'limit', /whole number/],
  ['limit=1&limit=2', 'limit', /once/],
  ['serverity=x', 'serverity', /is not a parameter of this endpoint: known are limit/],
  ['genre=poem', 'genre', /one of novel, essay/],
  ['genre=', 'genre', /one of novel, essay/],
  ['genre=novel,poem', 'genre', /one of novel, essay/],
  ['from=2026-02-30T00:00:00Z', 'from', /a time with a zone, such as/],
  ['available=yes', 'available', /true or false/],
  ['q=%00', 'q', /NUL/],
  ['q=%ff', 'query string', /UTF-8/],
  ['next_cursor=nonsense', 'next_cursor', /not valid for this list/],
];
for (const [query, field, message] of wrongQueries) {
  test(`?${query} is 400 naming ${field}`, async () => {
    const response = await call('GET', `/books?${query}`);
    assert.equal(response.status, 400);
    assert.equal(response.error?.details?.[0]?.field, field);
    assert.match(response.error?.message ?? '', message);
  });
}

test('several values are comma-separated or repeated', async () => {
  for (const query of ['genre=novel,essay', 'genre=novel&genre=essay', 'genre=novel%2Cessay', 'limit=1']) {
    assert.equal((await call('GET', `/books?${query}`)).status, 200, query);
  }
});

test('pages by cursor contain every row once, and the cursor is valid for no other list', async () => {
  for (let count = 0; count < 5; count += 1) await call('POST', '/books', { json: novel });
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await call('GET', `/books?limit=2&genre=novel${cursor === '' ? '' : `&next_cursor=${cursor}`}`);
    seen.push(...body.data.map((book: { id: string }) => book.id));
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, [...context.books.keys()].sort());
  const { body } = await call('GET', '/books?limit=1&genre=novel');
  const other = await call('GET', `/books?limit=1&genre=essay&next_cursor=${body.next_cursor}`);
  assert.equal(other.error?.code, 'invalid_cursor');
});

test('a change based on an old version is 412, and a version that the client has is 304', async () => {
  const { body, headers } = await call('POST', '/books', { json: novel });
  const url = `/books/${body.id}`;
  const match = { 'if-match': String(headers.etag) };
  assert.equal((await call('GET', url, { headers: { 'if-none-match': String(headers.etag) } })).status, 304);
  assert.equal((await call('PATCH', url, { json: { title: 'a' }, headers: match })).status, 200);
  assert.equal((await call('PATCH', url, { json: { title: 'b' }, headers: match })).status, 412);
  assert.equal((await call('PATCH', url, { json: { title: 'b' }, headers: { 'if-match': '*' } })).status, 200);
  assert.equal((await call('PATCH', url, { json: { title: 'b' }, headers: { 'if-match': 'x' } })).status, 400);
});

test('a body that changed without a new version is sent again, and does not prevent a change', async () => {
  const { body, headers } = await call('POST', '/books', { json: novel });
  const url = `/books/${body.id}`;
  const tag = String(headers.etag);
  context.books.get(body.id)!.title = 'Renamed elsewhere';
  const read = await call('GET', url, { headers: { 'if-none-match': tag } });
  assert.deepEqual([read.status, read.body.title], [200, 'Renamed elsewhere']);
  assert.notEqual(read.headers.etag, tag);
  assert.equal((await call('PATCH', url, { json: { title: 'a' }, headers: { 'if-match': tag } })).status, 200);
});

test('a console session endpoint refuses tokens', async () => {
  assert.equal((await call('GET', '/profile')).error?.code, 'session_required');
  assert.equal((await call('GET', '/profile', { token: 'session-1' })).status, 200);
});

test('an unexpected failure is a 500 that reveals nothing, with its cause in the log', async () => {
  const response = await call('POST', '/books', { json: { ...novel, title: 'Broken' } });
  assert.equal(response.status, 500);
  assert.doesNotMatch(JSON.stringify(response.body), /secret/);
  assert.equal(response.headers.etag, undefined);
  assert.ok(logged.some((line) => line.includes('secret detail of the inside')));
});

for (const [title, state] of [
  ['Away', 'unavailable'],
  ['Slow', 'too busy for a statement'],
] as const) {
  test(`while the database is ${state} the response is 503 with Retry-After`, async () => {
    const response = await call('POST', '/books', { json: { ...novel, title } });
    assert.equal(response.status, 503);
    assert.match(String(response.headers['retry-after']), /^\d+$/);
  });
}

test('a key that occurs twice is 400 malformed_json naming it, however it is written', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const payload of [
    '{"title": "a", "title": "a"}',
    '{"title": "a", "contact": {"tit\\"le:": 1}, "\\u0074itle": "b"}',
    '{"places": [{"title": 1, "title": 2}]}',
  ]) {
    const response = await call('POST', '/books', { payload, headers });
    assert.deepEqual([response.status, response.error?.code], [400, 'malformed_json'], payload);
    assert.match(response.error?.message ?? '', /the key "title" occurs twice/);
  }
  const payload = JSON.stringify({ title: 'a: "b": \\', genre: 'novel' });
  assert.equal((await call('POST', '/books', { payload, headers })).status, 201);
});

test('only the first error of an overly large body is explained', async () => {
  const places = Array.from({ length: 2_000 }, () => 1);
  const response = await call('POST', '/books', { json: { ...novel, places } });
  assert.equal(response.status, 400);
  assert.equal(response.error?.details?.length, 1);
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1]));
  assert.match(
    (await call('POST', '/books', { json: unknown })).error?.message ?? '',
    /not have more than 1000 fields/,
  );
});

test('JSON has no charset in its content type, whatever the route', async () => {
  const type = async (...given: Parameters<typeof call>) => (await call(...given)).headers['content-type'];
  assert.equal(await type('GET', '/books'), 'application/json');
  assert.equal(await type('GET', '/nowhere'), 'application/json');
  const probe = await app.inject({ url: '/healthz' });
  assert.equal(probe.headers['content-type'], 'application/json');
});
