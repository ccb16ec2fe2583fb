import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import Type from 'typebox';
import { createLibrary, defineRoute } from './library.fixture.ts';

const shared = {
  tag: 'Tests',
  summary: 'x',
  description: 'x',
  permission: { role: 'viewer' as const, scope: 'books:read' as const },
  responses: { 200: { schema: Type.Object({}), description: 'x', example: {} } },
  errors: [],
};
const upload = defineRoute({
  ...shared,
  method: 'POST',
  path: '/upload',
  operationId: 'upload',
  rawBody: { description: 'Anything.', contentTypes: ['application/octet-stream'] },
  handler: async ({ upload }) => {
    for await (const _chunk of upload);
    return {};
  },
});
const endless = defineRoute({
  ...shared,
  method: 'GET',
  path: '/endless',
  operationId: 'endless',
  handler: () => new Promise<object>(() => {}),
});

test('a closing server refuses a slow upload, and waits for no request indefinitely', async () => {
  const { app } = await createLibrary({
    routes: [upload, endless],
    config: { version: '1', baseUrl: '', closingTimes: { uploadsMs: 100, allMs: 2_000 } },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  /**
   * Sends the start of a request, and resolves when it has arrived, with the data received until the connection
   * closes.
   */
  const begin = async (head: string, body = '') => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const closed = once(socket, 'close').then(() => received);
    socket.write(
      `${head} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer analyst\r\nContent-Length: 1000\r\n\r\n${body}`,
    );
    await once(app.server, 'request');
    return { closed };
  };
  const uploading = await begin('POST /api/v1/upload', 'half');
  const waiting = await begin('GET /api/v1/endless');
  await app.close();
  const response = await uploading.closed;
  assert.match(response, /^HTTP\/1\.1 503 /);
  assert.match(response, /retry-after: 5/i);
  assert.match(response, /"code":"unavailable"/);
  assert.equal(await waiting.closed, '');
});
