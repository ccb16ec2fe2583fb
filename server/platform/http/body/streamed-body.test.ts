import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Type from 'typebox';
import { invalid } from '../../errors.ts';
import { createLibrary, defineRoute, libraryRoutes } from '../library.fixture.ts';

const shared = {
  method: 'POST' as const,
  tag: 'Tests',
  summary: 'x',
  description: 'x',
  permission: { role: 'viewer', scope: 'books:read' },
  rawBody: { description: 'Anything.', contentTypes: ['application/octet-stream'] },
  responses: {
    202: { schema: Type.Object({ size: Type.Number() }), description: 'x', example: { size: 1 } },
  },
  errors: [],
};
const readers = { fast: 0, slow: 20 };
const uploadRoutes = [
  ...Object.entries(readers).map(([name, pauseMs]) =>
    defineRoute({
      ...shared,
      path: `/${name}`,
      operationId: name,
      handler: async ({ upload }) => {
        let size = 0;
        for await (const chunk of upload) {
          size += chunk.length;
          if (pauseMs > 0) await delay(pauseMs);
        }
        return { size };
      },
    }),
  ),
  // Readers that stop early: one abandons its iterator, the other ends it, which destroys the stream.
  defineRoute({
    ...shared,
    path: '/leaving',
    operationId: 'leaving',
    handler: async ({ upload }) => {
      await upload[Symbol.asyncIterator]().next();
      throw invalid('body', 'line 1', 'is not what it says');
    },
  }),
  defineRoute({
    ...shared,
    path: '/ending',
    operationId: 'ending',
    handler: async ({ upload }) => {
      for await (const _chunk of upload) break;
      throw invalid('body', 'line 1', 'is not what it says');
    },
  }),
  defineRoute({
    ...shared,
    path: '/unread',
    operationId: 'unread',
    handler: async () => {
      throw invalid('query', 'x', 'is missing');
    },
  }),
];

const { app, logged } = await createLibrary({
  routes: [...libraryRoutes, ...uploadRoutes],
  config: { version: '1', baseUrl: '', bodyTimeoutMs: 300, uploadPace: { windowMs: 300, minBytes: 3_000 } },
});
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
after(() => app.close());

type ApiResponse = {
  status: number;
  headers: Record<string, unknown>;
  body: { error?: { code: string }; size?: number };
};

function send(agent: Agent, method: string, path: string, body?: Buffer, token = 'analyst'): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, agent, method, path: `/api/v1${path}`, headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode!, headers: incoming.headers, body: JSON.parse(text) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const head = (path: string, length: number, type = 'application/octet-stream') =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer analyst\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

/** Returns everything that the server sends on a connection until it closes. */
async function closingResponse(socket: Socket): Promise<string> {
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  return response;
}

const linesOf = (operation: string) =>
  logged.filter((line) => line.includes(`"operation":"${operation}"`)).map((line) => JSON.parse(line).status);

for (const path of ['/leaving', '/ending', '/unread']) {
  test(`after a body of 200 kB that was refused early (${path}) the connection serves the next request`, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = linesOf(path.slice(1)).length;
    for (let round = 0; round < 5; round += 1) {
      assert.equal((await send(agent, 'POST', path, Buffer.alloc(200_000))).status, 400);
      assert.equal((await send(agent, 'GET', '/books')).status, 200);
    }
    agent.destroy();
    assert.deepEqual(linesOf(path.slice(1)).slice(before), [400, 400, 400, 400, 400]);
  });

  test(`a client still sending a long body that was refused early (${path}) gets the 400 and the end of the connection`, async () => {
    const before = linesOf(path.slice(1)).length;
    const socket = connect(port, '127.0.0.1');
    const responded = closingResponse(socket);
    socket.write(head(path, 1e12));
    const piece = Buffer.alloc(65_536);
    const sendOn = () => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', sendOn);
    sendOn();
    const response = await responded;
    assert.match(response, /^HTTP\/1.1 400 /);
    assert.match(response, /\r\nconnection: close\r\n/i);
    assert.match(response, /"code":"invalid_request"/);
    assert.deepEqual(linesOf(path.slice(1)).slice(before), [400]);
  });
}

test('a request that is refused before its body is read leaves the connection usable', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const [path, token, status] of [
    ['/fast', 'wrong', 401],
    ['/nowhere', 'analyst', 404],
    ['/books', 'analyst', 415],
  ] as const) {
    assert.equal((await send(agent, 'POST', path, Buffer.alloc(500_000), token)).status, status);
    assert.equal((await send(agent, 'GET', '/books')).status, 200);
  }
  agent.destroy();
});

test('requests that a client sends after a response that closes the connection are not executed', async () => {
  const before = linesOf('createBook').length;
  const socket = connect(port, '127.0.0.1');
  const responded = closingResponse(socket);
  const body = JSON.stringify({ title: 'Smuggled', genre: 'novel' });
  socket.write(head('/unread', 100_000));
  await once(socket, 'data');
  socket.write(Buffer.alloc(100_000));
  socket.write(head('/books', body.length, 'application/json') + body);
  assert.equal((await responded).match(/HTTP\/1.1/g)?.length, 1);
  assert.equal(linesOf('createBook').length, before);
});

test('a request whose length is ambiguous is 400, and the bytes after it are not read as another request', async () => {
  const book = JSON.stringify({ title: 'Smuggled', genre: 'novel' });
  const smuggled = head('/books', book.length, 'application/json') + book;
  const lengths = {
    'both lengths': 'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'two lengths': 'Content-Length: 5\r\nContent-Length: 0',
    'a length with a sign': 'Content-Length: +5',
    'a space before the colon': 'Transfer-Encoding : chunked',
    'an unknown encoding': 'Transfer-Encoding: xchunked',
    'chunks that are not last': 'Transfer-Encoding: chunked, identity',
  };
  for (const [what, length] of Object.entries(lengths)) {
    const before = linesOf('createBook').length;
    const socket = connect(port, '127.0.0.1');
    const responded = closingResponse(socket);
    const start =
      'POST /api/v1/books HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer analyst\r\nContent-Type: application/json';
    socket.write(`${start}\r\n${length}\r\n\r\n0\r\n\r\n${smuggled}`);
    const response = await responded;
    assert.match(response, /^HTTP\/1\.1 400 /, what);
    assert.equal(response.match(/HTTP\/1\.1/g)?.length, 1, what);
    const statuses = linesOf('createBook').slice(before);
    assert.ok(!statuses.includes(201) && statuses.length <= 1, `${what}: ${statuses}`);
  }
});

for (const [name, path, type] of [
  ['a streamed body', '/fast', 'application/octet-stream'],
  ['a JSON body', '/books', 'application/json'],
] as const) {
  test(`${name} that stalls ends with 408 as JSON`, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head(path, 50_000, type)}{"title":`);
    const response = await closingResponse(socket);
    assert.match(response, /^HTTP\/1.1 408 /);
    assert.match(response, /\r\nx-request-id: /i);
    assert.equal(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).error.code, 'request_timeout');
  });

  test(`${name} that drips ends with 408 as JSON`, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head(path, 50_000, type));
    const drip = setInterval(() => socket.write(' '), 10);
    const response = await closingResponse(socket);
    clearInterval(drip);
    assert.match(response, /^HTTP\/1.1 408 /);
    assert.equal(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).error.code, 'request_timeout');
  });
}

test('a streamed body may take as long as it needs while it keeps the minimum speed', async () => {
  const socket = connect(port, '127.0.0.1');
  const responded = once(socket, 'data');
  socket.write(head('/fast', 80 * 5_000));
  for (let sent = 0; sent < 80; sent += 1) {
    socket.write(Buffer.alloc(5_000));
    await delay(10);
  }
  const [response] = await responded;
  assert.match(String(response), /^HTTP\/1.1 202 /);
  assert.match(String(response), /"size":400000/);
  socket.destroy();
});

test('a client that is faster than the reader is served to the end', async () => {
  const agent = new Agent();
  const { status, body } = await send(agent, 'POST', '/slow', Buffer.alloc(2_000_000));
  assert.deepEqual([status, body.size], [202, 2_000_000]);
});

test('a client that disconnects in the middle of a streamed body is one line in the log, not our failure', async () => {
  const from = logged.length;
  const socket = connect(port, '127.0.0.1');
  socket.write(head('/fast', 100_000));
  socket.write(Buffer.alloc(50_000));
  await once(app.server, 'request');
  socket.destroy();
  const lines = () => logged.slice(from).filter((line) => line.includes('"fast"'));
  while (lines().length === 0) await delay(5);
  await delay(0);
  assert.equal(lines().length, 1);
  assert.ok(logged.slice(from).every((line) => JSON.parse(line).level < 40));
});
