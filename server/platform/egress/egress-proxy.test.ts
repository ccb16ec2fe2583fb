import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createNetworkPolicy, type Resolve } from '@assay/scanner/platform/egress/network-policy.ts';
import { type EgressProxyOptions, startEgressProxy } from './egress-proxy.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'connect-through-proxy.mjs');

const resolve: Resolve = async (host) => {
  if (host === 'nowhere.example.com') throw new Error('ENOTFOUND');
  return [{ address: host === 'inside.example.com' ? '10.0.0.1' : '127.0.0.1', family: 4 }];
};
const policy = createNetworkPolicy({ allowed: ['127.0.0.1'], resolve });
const startProxy = (options: Partial<EgressProxyOptions> = {}) => startEgressProxy({ policy, ...options });

async function listening(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dispose = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, [Symbol.asyncDispose]: dispose };
}

const echoServer = () => listening(createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)));
const httpServer = (listener: RequestListener) => listening(createHttpServer(listener));

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'assay-egress-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const credentialOf = (url: string) =>
  `Basic ${Buffer.from(new URL(url).username + ':' + new URL(url).password).toString('base64')}`;

/** Waits until a socket is closed or reset. */
const closing = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** Opens a CONNECT tunnel by hand. Returns the status, and the socket with the data that followed the head. */
async function openTunnel(proxyUrl: string, target: string, authorization = credentialOf(proxyUrl)) {
  const { hostname, port } = new URL(proxyUrl);
  const request = httpRequest({
    host: hostname,
    port,
    method: 'CONNECT',
    path: target,
    headers: { 'Proxy-Authorization': authorization },
  });
  request.end();
  const [response, socket] = await once(request, 'connect');
  return { status: response.statusCode as number, socket: (socket as Socket).on('error', () => {}) };
}

async function getThrough(proxyUrl: string, url: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(proxyUrl);
  const request = httpRequest({
    host: hostname,
    port,
    path: url,
    headers: { 'Proxy-Authorization': credentialOf(proxyUrl), ...headers },
  });
  request.end();
  const [response] = await once(request, 'response');
  return { status: response.statusCode as number, headers: response.headers, body: await readText(response) };
}

test('a tunnel carries bytes both ways and ends when both sides have ended', async () => {
  await using echo = await echoServer();
  await using proxy = await startProxy();
  const { status, socket } = await openTunnel(proxy.url, `host.example.com:${echo.port}`);
  assert.equal(status, 200);
  const sent = Buffer.alloc(3_000_000, 'assay');
  socket.end(sent);
  assert.equal(await readText(socket), sent.toString());
});

test('nothing passes without the credential of this proxy', async () => {
  await using echo = await echoServer();
  await using proxy = await startProxy();
  await using other = await startProxy();
  for (const authorization of ['', 'Basic ', 'Bearer x', credentialOf(other.url)]) {
    const { status, socket } = await openTunnel(proxy.url, `127.0.0.1:${echo.port}`, authorization);
    assert.equal(status, 407);
    socket.destroy();
  }
  const plain = await getThrough(proxy.url, `http://127.0.0.1:${echo.port}/`, { 'Proxy-Authorization': 'Basic x' });
  assert.equal(plain.status, 407);
});

test('every connection, of both forms, is checked by the policy, and refusals are reported', async () => {
  await using proxy = await startProxy();
  const expected: [string, number][] = [
    ['inside.example.com:443', 403],
    ['169.254.169.254:80', 403],
    ['[::1]:22', 403],
    ['0x7f.2:22', 403],
    ['nowhere.example.com:443', 502],
    ['no-port.example.com', 400],
    ['user@127.0.0.1:80', 400],
    ['127.0.0.1:0', 403],
    ['127.0.0.1:99999', 403],
  ];
  for (const [target, status] of expected) {
    const tunnel = await openTunnel(proxy.url, target);
    assert.equal(tunnel.status, status, target);
    tunnel.socket.destroy();
  }
  assert.equal((await getThrough(proxy.url, 'http://inside.example.com/')).status, 403);
  assert.equal((await getThrough(proxy.url, 'https://host.example.com/')).status, 400);
  assert.equal((await getThrough(proxy.url, '/metrics')).status, 400);
  assert.match(proxy.refusals[0]!, /"inside.example.com" leads to a private address/);
});

test("a plain request is forwarded without the proxy's own headers, and redirects are returned to the client", async () => {
  let seen: Record<string, unknown> = {};
  await using site = await httpServer((request, response) => {
    seen = { url: request.url, ...request.headers };
    response.writeHead(302, { location: 'http://inside.example.com/', 'set-cookie': ['a=1', 'b=2'] }).end('moved');
  });
  await using proxy = await startProxy();
  const response = await getThrough(proxy.url, `http://host.example.com:${site.port}/a?b=c`, {
    'X-Hop': '1',
    'X-Kept': '2',
    Connection: 'x-hop',
  });
  assert.equal(response.status, 302);
  assert.equal(response.body, 'moved');
  assert.deepEqual(response.headers['set-cookie'], ['a=1', 'b=2']);
  assert.equal(seen.url, '/a?b=c');
  assert.equal(seen.host, `host.example.com:${site.port}`);
  assert.equal(seen['x-kept'], '2');
  for (const dropped of ['proxy-authorization', 'x-hop']) assert.equal(seen[dropped], undefined);
});

test('a target that refuses the connection is a 502, and one that hangs is abandoned', async () => {
  await using proxy = await startProxy();
  const gone = await echoServer();
  await gone[Symbol.asyncDispose]();
  assert.equal((await openTunnel(proxy.url, `127.0.0.1:${gone.port}`)).status, 502);
  await using silent = await httpServer(() => {});
  await using hasty = await startProxy({ idleTimeoutMs: 50 });
  assert.equal((await getThrough(hasty.url, `http://127.0.0.1:${silent.port}/`)).status, 502);
});

test('a tunnel is cut at its limits of duration, silence and bytes', async () => {
  await using echo = await echoServer();
  for (const bounds of [{ maxDurationMs: 100 }, { idleTimeoutMs: 50 }, { maxBytes: 100_000 }]) {
    await using proxy = await startProxy(bounds);
    const { socket } = await openTunnel(proxy.url, `127.0.0.1:${echo.port}`);
    socket.resume();
    if ('maxBytes' in bounds) socket.write(Buffer.alloc(200_000));
    await closing(socket);
  }
});

test('closing cuts open connections and accepts no new ones', async () => {
  await using echo = await echoServer();
  const proxy = await startProxy();
  const { socket } = await openTunnel(proxy.url, `127.0.0.1:${echo.port}`);
  const closed = closing(socket.resume());
  await proxy.close();
  await closed;
  await proxy.close();
  const late = connect({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) });
  const [error] = await once(late, 'error');
  assert.equal(error.code, 'ECONNREFUSED');
});

async function makeRepository(path: string) {
  const git = (...args: string[]) => run('git', ['-C', path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  await run('git', ['init', '-q', path]);
  await writeFile(join(path, 'file.txt'), 'content');
  await git('add', '.');
  await git('commit', '-q', '-m', 'First');
  await git('update-server-info');
  return join(path, '.git');
}

const gitEnvironment = (more: Record<string, string>) => ({
  env: { PATH: process.env.PATH!, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', ...more },
});

test('git clones over http through the proxy, within the policy', async () => {
  await using directory = await temporaryDirectory();
  const repository = await makeRepository(join(directory.path, 'source'));
  await using site = await httpServer((request, response) => {
    const file = createReadStream(join(repository, URL.parse(request.url!, 'http://x')!.pathname));
    file.on('error', () => response.writeHead(404).end()).pipe(response);
  });
  await using proxy = await startProxy();
  const environment = gitEnvironment({ http_proxy: proxy.url });
  await run(
    'git',
    ['clone', '-q', `http://host.example.com:${site.port}/`, join(directory.path, 'clone')],
    environment,
  );
  assert.equal(await readFile(join(directory.path, 'clone', 'file.txt'), 'utf8'), 'content');
  await assert.rejects(
    run('git', ['clone', '-q', 'http://inside.example.com/x', join(directory.path, 'no')], environment),
    /403/,
  );
});

test("git's own protocol passes through the proxy by connect-through-proxy.mjs, refusals included", async () => {
  await using directory = await temporaryDirectory();
  await makeRepository(join(directory.path, 'source'));
  await using daemon = await listening(
    createServer({ allowHalfOpen: true }, (socket) => {
      const child = spawn('git', ['daemon', '--inetd', '--export-all', `--base-path=${directory.path}`], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child.stdin.on('error', () => {});
      socket.pipe(child.stdin);
      child.stdout.pipe(socket);
    }),
  );
  await using proxy = await startProxy();
  const environment = gitEnvironment({ ASSAY_EGRESS_PROXY: proxy.url });
  const clone = (url: string, to: string) =>
    run('git', ['-c', `core.gitProxy=${script}`, 'clone', '-q', url, join(directory.path, to)], environment);
  await clone(`git://host.example.com:${daemon.port}/source`, 'clone');
  assert.equal(await readFile(join(directory.path, 'clone', 'file.txt'), 'utf8'), 'content');
  await assert.rejects(clone('git://inside.example.com/source', 'no'), /leads to a private address/);
});

test('connect-through-proxy.mjs reports what is wrong and fails', async () => {
  await assert.rejects(run(script, [], { env: { PATH: process.env.PATH } }), /usage/);
  await assert.rejects(run(script, ['host', '22'], { env: { PATH: process.env.PATH } }), /ASSAY_EGRESS_PROXY/);
  const env = { PATH: process.env.PATH, ASSAY_EGRESS_PROXY: 'http://a:b@127.0.0.1:1' };
  await assert.rejects(run(script, ['host', '22'], { env }), /ECONNREFUSED/);
});
