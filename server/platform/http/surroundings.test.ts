import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Type from 'typebox';
import { createLibrary, defineRoute, libraryRoutes } from './library.fixture.ts';

const large = defineRoute({
  method: 'GET',
  path: '/large',
  operationId: 'large',
  tag: 'Tests',
  summary: 'Large',
  description: 'Large.',
  permission: { role: 'viewer', scope: 'books:read' },
  query: { etag: Type.Optional(Type.Boolean()) },
  responses: { 200: { schema: Type.Object({ text: Type.String() }), description: 'x', example: { text: 'x' } } },
  errors: [],
  handler: async ({ query, reply }) => {
    if (query.etag) reply.header('etag', '"1"');
    return { text: 'x'.repeat(5000) };
  },
});

let ready = true;
const { app, logged } = await createLibrary({
  routes: [...libraryRoutes, large],
  readiness: async () => {
    if (!ready) throw new Error('no database');
  },
  config: { version: '1', baseUrl: 'https://assay.example', corsOrigins: ['https://console.example'] },
});
after(() => app.close());
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

const authorization = 'Bearer analyst';
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { authorization, ...headers } });

test('responses are compressed for clients that accept it, except where an entity tag names the bytes', async () => {
  const gzip = await get('/api/v1/large', { 'accept-encoding': 'gzip' });
  assert.equal(gzip.headers['content-encoding'], 'gzip');
  assert.match(String(gzip.headers.vary), /accept-encoding/i);
  assert.equal(JSON.parse(gunzipSync(gzip.rawPayload).toString()).text.length, 5000);
  const brotli = await get('/api/v1/large', { 'accept-encoding': 'br, gzip' });
  assert.equal(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()).text.length, 5000);
  assert.equal(
    (await get('/api/v1/large?etag=true', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    undefined,
  );
  assert.equal((await get('/api/v1/books', { 'accept-encoding': 'gzip' })).headers['content-encoding'], undefined);
});

test('a compressed request body is 415, so that nothing is unpacked without a limit', async () => {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/books',
    headers: { authorization, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: Buffer.from([0x1f, 0x8b]),
  });
  assert.equal(response.statusCode, 415);
});

test('responses forbid browsers to do more with them than show JSON', async () => {
  const { headers } = await get('/api/v1/books');
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  );
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'no-store');
});

test('every response of a server behind https asks for https for a year, subdomains included', async () => {
  for (const url of ['/api/v1/books', '/api/v1/nothing', '/elsewhere', '/healthz']) {
    assert.equal((await get(url)).headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', url);
  }
});

test('only the listed origins may read responses, errors included, and send a preflight without a token', async () => {
  const origin = 'https://console.example';
  assert.equal((await get('/api/v1/books', { origin })).headers['access-control-allow-origin'], origin);
  assert.match(String((await get('/api/v1/books', { origin })).headers['access-control-expose-headers']), /RateLimit/);
  const refused = await app.inject({ url: '/api/v1/books', headers: { origin } });
  assert.equal(refused.statusCode, 401);
  assert.equal(refused.headers['access-control-allow-origin'], origin);
  const preflight = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization',
  };
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/v1/books/book_1', headers: preflight });
  assert.equal(asked.statusCode, 204);
  assert.match(String(asked.headers['access-control-allow-methods']), /PATCH/);
  assert.match(String(asked.headers['access-control-allow-headers']), /\bPrefer\b/);
  const other = { ...preflight, origin: 'https://evil.example' };
  assert.equal((await app.inject({ method: 'OPTIONS', url: '/api/v1/books', headers: other })).statusCode, 401);
  assert.equal(
    (await get('/api/v1/books', { origin: other.origin })).headers['access-control-allow-origin'],
    undefined,
  );
});

test('a deprecated operation says since when, until when and what to use instead', async () => {
  const { headers } = await app.inject({
    method: 'POST',
    url: '/api/v1/books/book_1/lend',
    headers: { authorization },
  });
  assert.equal(headers.deprecation, '@1767225600');
  assert.equal(headers.sunset, 'Fri, 01 Jan 2027 00:00:00 GMT');
  assert.equal(headers.link, '<https://example.com/lending>; rel="deprecation"; type="text/html"');
  assert.equal((await get('/api/v1/books')).headers.deprecation, undefined);
});

test('the probes return whether the process runs and whether it can serve', async () => {
  assert.equal((await app.inject('/healthz')).statusCode, 200);
  assert.equal((await app.inject('/readyz')).statusCode, 200);
  ready = false;
  const response = await app.inject('/readyz');
  ready = true;
  assert.equal(response.statusCode, 503);
  assert.equal(response.headers['retry-after'], '5');
  assert.deepEqual(response.json(), { status: 'unavailable', reason: 'The database is not available.' });
});

test('metrics count requests by operation and status, and name no organization', async () => {
  await get('/api/v1/books');
  const { body, statusCode } = await app.inject('/metrics');
  assert.equal(statusCode, 200);
  assert.match(body, /assay_http_request_duration_seconds_count\{operation="listBooks",method="GET",status="200"\}/);
  assert.match(body, /nodejs_eventloop_lag/);
  assert.doesNotMatch(body, /org_1/);
});

test('metrics are available only to this machine, or with the token', async () => {
  const forwarded = await app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9' } });
  assert.equal(forwarded.statusCode, 403);
  assert.equal((await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })).statusCode, 403);
  const guarded = await createLibrary({ config: { version: '1', baseUrl: '', metricsToken: 'for-prometheus' } });
  assert.equal((await guarded.app.inject('/metrics')).statusCode, 403);
  const headers = { authorization: 'Bearer for-prometheus' };
  assert.equal((await guarded.app.inject({ url: '/metrics', headers })).statusCode, 200);
  await guarded.app.close();
});

test('the log names each request and its caller, without ids of resources or credentials', async () => {
  await get('/api/v1/books?q=private');
  const line = JSON.parse(logged.filter((entry) => entry.includes('listBooks')).at(-1)!);
  assert.equal(line.operation, 'listBooks');
  assert.equal(line.orgId, 'org_1');
  assert.equal(line.status, 200);
  assert.doesNotMatch(JSON.stringify(line), /private|Bearer/);
});

async function exchange(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  await once(socket, 'close');
  return response;
}

test('the response to an invalid request has the usual form of errors', async () => {
  const response = await exchange('NOT HTTP\r\n\r\n');
  assert.match(response, /^HTTP\/1.1 400 /);
  assert.match(response, /"code":"invalid_request"/);
  const headers = await exchange(`GET /api/v1/books HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(headers, /^HTTP\/1.1 431 /);
  assert.match(headers, /"code":"invalid_request"/);
  const nameless = await exchange('GET /api/v1/books HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.match(nameless, /^HTTP\/1.1 400 /);
  assert.match(nameless, /"field":"Host"/);
});

test('a path that leaves the prefix by dots, or cannot be decoded, is not found', async () => {
  const head = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`;
  for (const path of ['/api/v1/../../healthz', '/api/v1/..%2f..%2fhealthz', '/api/v1/%', '//api/v1/books', '/%ff']) {
    const response = await exchange(head(path));
    assert.match(response, /^HTTP\/1.1 404 /, path);
    assert.match(response, /"code":"not_found"/, path);
  }
});

test('a body above the limit is 413 even when its length was not announced', async () => {
  const outgoing = request({
    port,
    method: 'POST',
    path: '/api/v1/books',
    headers: { authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  outgoing.on('error', () => {});
  const responded = once(outgoing, 'response');
  for (let sent = 0; sent < 20; sent += 1) outgoing.write('x'.repeat(100_000));
  const [response] = await responded;
  outgoing.destroy();
  assert.equal(response.statusCode, 413);
});

test('an unusual method is refused like any other', async () => {
  for (const method of ['PROPFIND', 'TRACE', 'QUERY']) {
    const response = await exchange(
      `${method} /api/v1/books HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(response, /^HTTP\/1.1 405 /, method);
    assert.match(response, /^Allow: GET, HEAD, POST/im, method);
  }
});

test('a client that sends all of a refused body before it reads still gets the response', async () => {
  const body = 'x'.repeat(20 * 1024 * 1024);
  const head = (type: string) =>
    `POST /api/v1/books HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  for (const [type, status] of [
    ['application/json', 413],
    ['text/plain', 415],
  ] as const) {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    const sent = Promise.withResolvers<void>();
    socket.on('error', sent.reject);
    socket.write(head(type) + body, () => sent.resolve());
    await sent.promise;
    socket.resume();
    const [chunk] = await once(socket, 'data');
    assert.match(String(chunk), new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  }
});
