import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import Type from 'typebox';
import { createLibrary, defineRoute, libraryRoutes } from './library.fixture.ts';

const upload = defineRoute({
  method: 'POST',
  path: '/files',
  operationId: 'upload',
  tag: 'Tests',
  summary: 'Upload',
  description: 'Upload.',
  permission: { role: 'viewer', scope: 'books:read' },
  rawBody: { description: 'x', contentTypes: ['application/octet-stream'] },
  responses: { 200: { schema: Type.Object({ size: Type.Integer() }), description: 'x', example: { size: 1 } } },
  errors: [],
  handler: async ({ upload }) => ({ size: Buffer.concat(await upload.toArray()).length }),
});

const config = { version: '1', baseUrl: 'https://assay.example', allowedHosts: ['Assay.internal'] };
const { app, logged } = await createLibrary({ routes: [...libraryRoutes, upload], config });
const proxied = await createLibrary({ config: { ...config, trustedProxies: ['127.0.0.1'] } });
const apps = [app, proxied.app];
after(() => Promise.all(apps.map((one) => one.close())));
for (const one of apps) await one.listen({ port: 0, host: '127.0.0.1' });

type Response = { status: number; head: string; body: string };

/** Sends a request byte for byte. */
async function exchange(text: string, to = app): Promise<Response> {
  const socket = connect((to.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  await once(socket, 'close');
  const [head = '', body = ''] = response.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

const request = (start: string, headers: string[], body = '') =>
  [`${start} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n');

const codeOf = ({ body }: Response) => JSON.parse(body).error.code;

test('only the names of the service, localhost and addresses are served, whatever the port', async () => {
  const names = ['assay.example', 'ASSAY.example.:443', 'assay.internal:8080', 'localhost:1', '10.1.2.3', '[::1]:8080'];
  for (const name of names) {
    const { status } = await exchange(request('GET /api/v1/docs', [`Host: ${name}`]));
    assert.equal(status, 200, name);
  }
  for (const name of [
    'evil.example',
    'x.assay.example',
    'assay.example.evil',
    'localhost.evil',
    'a@b',
    '127.0.0.1.evil',
  ]) {
    for (const path of ['/api/v1/docs', '/api/v1/books', '/metrics', '/', '/healthz/']) {
      const response = await exchange(request(`GET ${path}`, [`Host: ${name}`]));
      assert.deepEqual([response.status, codeOf(response)], [421, 'misdirected_request'], `${name}${path}`);
    }
  }
  assert.match(logged.at(-1) ?? '', /ASSAY_ALLOWED_HOSTS|421/);
  assert.ok(logged.some((line) => line.includes('ASSAY_ALLOWED_HOSTS') && line.includes('"x.assay.example"')));
});

test('probes are served under any name', async () => {
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await exchange(request(`GET ${path}`, ['Host: pod-17']))).status, 200);
});

test('two Host headers are 400, even where any name is served', async () => {
  for (const path of ['/api/v1/docs', '/healthz']) {
    const response = await exchange(request(`GET ${path}`, ['Host: localhost', 'host: evil.example']));
    assert.deepEqual([response.status, codeOf(response)], [400, 'invalid_request']);
  }
});

test('a name that a trusted proxy forwards is checked too', async () => {
  const get = (forwarded: string) =>
    exchange(request('GET /api/v1/docs', ['Host: localhost', `X-Forwarded-Host: ${forwarded}`]), proxied.app);
  assert.equal((await get('assay.example')).status, 200);
  assert.equal((await get('evil.example')).status, 421);
});

test('metrics need their token from anywhere but this machine, whatever the Host header', async () => {
  const metrics = (headers: string[], to = app) => exchange(request('GET /metrics', headers), to);
  assert.equal((await metrics(['Host: localhost'])).status, 200);
  // The proxy runs on this machine, but its requests come from elsewhere, even when it forwards no address.
  assert.equal((await metrics(['Host: localhost'], proxied.app)).status, 403);
  const remoteAddress = '10.0.0.9';
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    assert.equal((await app.inject({ url: '/metrics', remoteAddress, headers: { host } })).statusCode, 403);
});

test('a method that no route has is 405 everywhere, with the methods that exist', async () => {
  for (const method of ['QUERY', 'PROPFIND', 'MKCOL', 'LOCK', 'TRACE', 'M-SEARCH', 'PURGE', 'HELLO']) {
    for (const path of ['/', '/nowhere', '/healthz', '/api/v1/books', '/api/v1/nowhere', '/auth/sign-in/email']) {
      for (const body of ['', '{"a":']) {
        const headers = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${body.length}`];
        const response = await exchange(request(`${method} ${path}`, headers, body));
        assert.deepEqual([response.status, codeOf(response)], [405, 'method_not_allowed'], `${method} ${path}`);
        assert.match(response.head, /^Allow: .*GET/im);
      }
    }
  }
});

test('an expectation other than 100-continue is 400 in the usual form', async () => {
  for (const path of ['/api/v1/books', '/', '/api/v1/files']) {
    const headers = ['Host: localhost', 'Authorization: Bearer a', 'Expect: bogus', 'Content-Length: 2'];
    const response = await exchange(request(`POST ${path}`, headers, '{}'));
    assert.deepEqual([response.status, codeOf(response)], [400, 'invalid_request'], path);
    assert.match(response.body, /"field":"Expect"/);
  }
});

test('a Content-Encoding that is not accepted is 415, for files too', async () => {
  const post = async (path: string, encoding: string) => {
    const headers = { authorization: 'Bearer a', 'content-type': 'application/json', 'content-encoding': encoding };
    return (await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload: '{}' })).statusCode;
  };
  for (const encoding of ['br', 'zstd', 'deflate', 'gzip, br', 'gzip, gzip', 'bogus', '']) {
    assert.equal(await post('/files', encoding), 415, encoding);
    assert.equal(await post('/books', encoding), 415, encoding);
    assert.equal(await post('/books/book_1/lend', encoding), 415, encoding);
  }
  assert.deepEqual([await post('/files', 'gzip'), await post('/files', 'identity')], [200, 200]);
});
