import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createGuardedFetch } from './guarded-request.ts';
import { createNetworkPolicy, NetworkRefusal } from './network-policy.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const resolve = async (host: string) => [
  { address: host === 'evil.example.com' ? '127.0.0.9' : '127.0.0.1', family: 4 as const },
];
const guardedFetch = createGuardedFetch(createNetworkPolicy({ allowed: ['127.0.0.1'], resolve }));

test('a redirect to a forbidden address is refused at that hop', async () => {
  for (const location of [
    'http://evil.example.com/',
    'http://169.254.169.254/latest/',
    'http://[::1]/',
    'http://2130706434/',
    'file:///etc/passwd',
  ]) {
    await using server = await serve((_request, response) => response.writeHead(302, { location }).end());
    await assert.rejects(guardedFetch(`http://ok.example.com:${server.port}/`), NetworkRefusal, location);
  }
});

test('a redirect to an allowed address is followed, and credentials stay with their origin', async () => {
  const seen: IncomingMessage[] = [];
  await using other = await serve((request, response) => {
    seen.push(request);
    response.end('arrived');
  });
  await using server = await serve((_request, response) =>
    response.writeHead(303, { location: `http://second.example.com:${other.port}/there` }).end(),
  );
  const response = await guardedFetch(`http://first.example.com:${server.port}/`, {
    method: 'POST',
    body: '{}',
    headers: { Authorization: 'Bearer x', 'Content-Type': 'application/json', 'X-Kept': 'yes' },
  });
  assert.equal((await response.bytes()).toString(), 'arrived');
  assert.equal(response.url, `http://second.example.com:${other.port}/there`);
  assert.equal(seen[0]!.method, 'GET');
  assert.equal(seen[0]!.headers.authorization, undefined);
  assert.equal(seen[0]!.headers['content-type'], undefined);
  assert.equal(seen[0]!.headers['x-kept'], 'yes');
});

test('if no redirects are allowed, the redirect itself is returned', async () => {
  await using server = await serve((_request, response) => response.writeHead(302, { location: '/next' }).end());
  const response = await guardedFetch(`http://ok.example.com:${server.port}/`, { maxRedirects: 0 });
  assert.equal(response.status, 302);
});

test('a redirect loop ends', async () => {
  await using server = await serve((_request, response) => response.writeHead(302, { location: '/' }).end());
  await assert.rejects(guardedFetch(`http://ok.example.com:${server.port}/`), /redirects more than 5 times/);
});

test('an endless response ends at the byte limit, a silent one at the time limit', async () => {
  await using endless = await serve((_request, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const flood = await guardedFetch(`http://ok.example.com:${endless.port}/`, { maxBytes: 1_000_000 });
  await assert.rejects(flood.bytes(), /sent more than 1000000 bytes/);
  await using silent = await serve(() => {});
  await assert.rejects(guardedFetch(`http://ok.example.com:${silent.port}/`, { timeoutMs: 50 }), {
    name: 'AbortError',
  });
});
