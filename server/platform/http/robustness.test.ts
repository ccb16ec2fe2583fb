import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { createLibrary, defineRoute, libraryRoutes } from './library.fixture.ts';

const held = Promise.withResolvers<void>();
const entered = Promise.withResolvers<void>();
const slow = defineRoute({
  method: 'GET',
  path: '/slow',
  operationId: 'slow',
  tag: 'Tests',
  summary: 'Slow',
  description: 'Slow.',
  permission: { role: 'viewer', scope: 'books:read' },
  responses: { 200: { schema: Type.Object({ done: Type.Boolean() }), description: 'x', example: { done: true } } },
  errors: [],
  handler: async () => {
    entered.resolve();
    await held.promise;
    return { done: true };
  },
});
const { app, logged } = await createLibrary({ routes: [...libraryRoutes, slow] });
after(() => app.close());
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const headers = { authorization: 'Bearer analyst' };
const json = { ...headers, 'content-type': 'application/json' };

const isDocumented = (status: number) => [200, 201, 204, 400, 404, 405, 409, 413, 415].includes(status);

test('no JSON body causes a 5xx', async () => {
  const field = fc.oneof(
    fc.constantFrom('title', 'genre', 'pages', 'contact', 'places', '__proto__', 'toString'),
    fc.string(),
  );
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }));
  const body = fc.oneof(
    value,
    fc.dictionary(field, value),
    fc.record({ title: value, genre: fc.constantFrom('novel', 'x') }),
  );
  await checkProperty(
    fc.asyncProperty(fc.constantFrom('POST', 'PATCH'), body, async (method, payload) => {
      const url = method === 'POST' ? '/api/v1/books' : '/api/v1/books/book_1';
      const response = await app.inject({
        method: method as 'POST',
        url,
        headers: json,
        payload: JSON.stringify(payload),
      });
      // The fixture fails on purpose for these titles.
      const title = (payload as { title?: unknown } | null)?.title;
      if (title === 'Broken' || title === 'Away') return;
      assert.ok(isDocumented(response.statusCode), `${response.statusCode} ${JSON.stringify(payload)}`);
    }),
    { numRuns: 400 },
  );
});

test('no bytes as a body cause a 5xx', async () => {
  await checkProperty(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const response = await app.inject({
        method: 'POST',
        url: '/api/v1/books',
        headers: json,
        payload: Buffer.from(bytes),
      });
      assert.ok(isDocumented(response.statusCode), String(response.statusCode));
    }),
    { numRuns: 200 },
  );
});

test('no path and no query cause a 5xx', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }).map(encodeURIComponentSafely),
    fc.constantFrom('books', 'limit=1', '&', '=', '?', '%', '%00', '..', '//', ',', 'genre', '%c0%80', '[]', ';', '#'),
  );
  await checkProperty(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const path = `/api/v1/books${pieces.join('')}`.replaceAll(/[\s#]/g, '');
      assert.match(
        await exchange(
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nConnection: close\r\n\r\n`,
        ),
        /^HTTP\/1.1 (200|400|404) /,
      );
    }),
    { numRuns: 300 },
  );
});

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

async function exchange(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  await once(socket, 'close');
  return response;
}

test('a client that disconnects in the middle of its body is not logged as our failure', async () => {
  const before = logged.length;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /api/v1/books HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"ti',
  );
  await once(app.server, 'request');
  socket.destroy();
  const isLogged = () => logged.slice(before).some((line) => line.includes('createBook'));
  for (let turns = 0; !isLogged() && turns < 100_000; turns += 1) await new Promise((next) => setImmediate(next));
  assert.ok(isLogged());
  assert.ok(logged.slice(before).every((line) => JSON.parse(line).level < 40));
});

test('closing lets running requests finish, and accepts no new ones', async () => {
  const outgoing = get({ port, path: '/api/v1/slow', headers });
  const responded = once(outgoing, 'response');
  await entered.promise;
  const closed = app.close();
  const refused = connect(port, '127.0.0.1');
  await assert.rejects(once(refused, 'connect'));
  held.resolve();
  const [response] = await responded;
  assert.equal(response.statusCode, 200);
  response.resume();
  await closed;
});
