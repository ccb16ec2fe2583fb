import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  HostNotFound,
  type NetworkPolicy,
  NetworkRefusal,
  pinnedLookup,
  type ResolvedAddress,
} from '@assay/scanner/platform/egress/network-policy.ts';

// Hop-by-hop headers (RFC 9110, 7.6.1), and our own credential, which must not be forwarded.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `count` is called with each stream that is piped. */
type ForwardOptions = { admit: Admit; count(stream: NodeJS.ReadableStream): void; idleTimeoutMs: number };

/**
 * Serves an absolute-form request (`GET http://host/path`). Redirects are returned to the client, and its next
 * request is checked again.
 */
async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { admit, count, idleTimeoutMs }: ForwardOptions,
): Promise<void> {
  const url = URL.parse(request.url ?? '');
  const target = url?.protocol === 'http:' ? `${url.hostname}:${url.port || 80}` : '';
  const admitted = await admit(request, target);
  if (!admitted.ok) return respond(response, admitted.status, admitted.message);
  if (response.destroyed) return;
  const upstream = httpRequest({
    host: admitted.host,
    port: admitted.port,
    method: request.method,
    path: `${url!.pathname}${url!.search}`,
    headers: endToEnd(request, { host: url!.host, connection: 'close' }),
    agent: false,
    lookup: pinnedLookup(admitted.addresses),
    timeout: idleTimeoutMs,
  });
  upstream.once('timeout', () => upstream.destroy(new Error('timeout')));
  upstream.once('error', () => respond(response, 502, `No response from ${admitted.host}:${admitted.port}.`));
  upstream.once('response', (incoming) => {
    incoming.once('error', () => response.destroy());
    response.writeHead(incoming.statusCode!, endToEnd(incoming, {}));
    count(incoming);
    incoming.pipe(response);
  });
  response.once('close', () => upstream.destroy());
  request.once('error', () => upstream.destroy());
  count(request);
  request.pipe(upstream);
}

function endToEnd(message: IncomingMessage, set: Record<string, string>): Record<string, string | string[]> {
  const named = (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...hopByHop, ...named]);
  const kept = Object.entries(message.headersDistinct).filter(([name]) => !dropped.has(name));
  return { ...(Object.fromEntries(kept) as Record<string, string[]>), ...set };
}

function respond(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const challenge = status === 407 ? { 'Proxy-Authenticate': 'Basic realm="assay"' } : {};
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close', ...challenge });
  response.end(`${message}\n`);
}

export type EgressProxyOptions = {
  policy: NetworkPolicy;
  /** Concurrent connections from clients; further ones are dropped. */
  maxConnections?: number;
  connectTimeoutMs?: number;
  /** A connection is closed after this time without traffic. */
  idleTimeoutMs?: number;
  /** A connection is closed after this time, even with traffic. */
  maxDurationMs?: number;
  /** A connection is closed after this many bytes in both directions. */
  maxBytes?: number;
};

/**
 * An HTTP proxy on a loopback port that gives the programs we start access to the network, subject to the network
 * policy.
 */
export type EgressProxy = {
  /** `http://user:password@127.0.0.1:port`, for `http_proxy`, `https_proxy` and connect-through-proxy.mjs. */
  readonly url: string;
  /**
   * The reasons for refused connections, as sentences for the person who entered the target: the last 100, newest
   * last.
   */
  readonly refusals: readonly string[];
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Bounds = Required<Omit<EgressProxyOptions, 'policy'>>;

const defaults: Bounds = {
  maxConnections: 64,
  connectTimeoutMs: 15_000,
  idleTimeoutMs: 120_000,
  maxDurationMs: 6 * 60 * 60_000,
  maxBytes: 50 * 2 ** 30,
};

/**
 * Starts a proxy with its own credential, so that other programs on the machine can't use it. It serves CONNECT (to
 * any port; TLS, ssh and git's own protocol pass unchanged) and absolute-form HTTP requests.
 */
export async function startEgressProxy({ policy, ...options }: EgressProxyOptions): Promise<EgressProxy> {
  const bounds: Bounds = { ...defaults, ...options };
  const password = randomBytes(24).toString('base64url');
  const refusals: string[] = [];
  const open = trackSockets(bounds.maxDurationMs);
  const admit = createGate(policy, password, (message) => {
    refusals.push(message);
    if (refusals.length > 100) refusals.shift();
  });
  const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 0, headersTimeout: 10_000 });
  server.maxConnections = bounds.maxConnections;
  server.on('connection', open.add);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connect', (request, client, head) => {
    tunnel(request, client, head, { admit, bounds, open }).catch(() => client.destroy());
  });
  server.on('request', (request, response) => {
    const count = createCounter(bounds.maxBytes, () => request.destroy());
    const forwarding = { admit, count, idleTimeoutMs: bounds.idleTimeoutMs };
    forwardRequest(request, response, forwarding).catch(() => request.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The job keeps the process alive; its proxy does not.
  server.unref();
  const close = async () => {
    open.cut();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://assay:${password}@127.0.0.1:${port}`, refusals, close, [Symbol.asyncDispose]: close };
}

type Tunnels = { admit: Admit; bounds: Bounds; open: ReturnType<typeof trackSockets> };

async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, { admit, bounds, open }: Tunnels) {
  client.on('error', () => client.destroy());
  const admitted = await admit(request, request.url ?? '');
  if (!admitted.ok) return refuse(client, admitted.status, admitted.message);
  // The client may have disconnected during the DNS lookup: no further event would report that.
  if (client.destroyed) return;
  const { host, port, addresses } = admitted;
  const upstream = connect({ host, port, lookup: pinnedLookup(addresses), allowHalfOpen: true });
  open.add(upstream);
  upstream.setTimeout(bounds.connectTimeoutMs, () => upstream.destroy(new Error('timeout')));
  const onFailure = () => refuse(client, 502, `No connection to ${host}:${port}.`);
  upstream.once('error', onFailure);
  client.once('close', () => (upstream.connecting ? upstream.destroy() : upstream.destroySoon()));
  upstream.once('connect', () => {
    upstream.off('error', onFailure);
    upstream.on('error', () => client.destroy());
    upstream.setTimeout(bounds.idleTimeoutMs);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    const count = createCounter(bounds.maxBytes, () => client.destroy());
    for (const side of [client, upstream]) count(side);
    upstream.pipe(client);
    client.pipe(upstream);
  });
}

const reasons: Record<number, string> = { 400: 'Bad Request', 403: 'Forbidden', 407: 'Proxy Authentication Required' };

function refuse(client: Duplex, status: number, message: string): void {
  if (client.destroyed) return;
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="assay"\r\n' : '';
  const body = `${message}\n`;
  client.end(
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Gateway'}\r\n${challenge}Content-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that never closes its half would keep the socket open.
  client.once('finish', () => client.destroy());
}

/** The open sockets. Each is closed after `maxDurationMs`. */
function trackSockets(maxDurationMs: number) {
  const sockets = new Set<Socket>();
  return {
    add(socket: Socket) {
      sockets.add(socket);
      const timer = setTimeout(() => socket.destroy(), maxDurationMs).unref();
      socket.once('close', () => {
        clearTimeout(timer);
        sockets.delete(socket);
      });
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Counts the bytes of streams. Call it where a stream is piped, since the listener starts its flow. */
function createCounter(maxBytes: number, onExceeded: () => void): (stream: NodeJS.ReadableStream) => void {
  let bytes = 0;
  return (stream) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) onExceeded();
    });
  };
}

type Admission =
  | { ok: true; host: string; port: number; addresses: ResolvedAddress[] }
  | { ok: false; status: 400 | 403 | 407 | 502; message: string };

/** Decides whether a proxy request for `target` (`host:port`) is allowed. Never throws. */
type Admit = (request: IncomingMessage, target: string) => Promise<Admission>;

/**
 * Creates the proxy's gate. It checks the credential, then the form of the target, then the policy. `onRefused` gets
 * the policy's messages.
 */
function createGate(policy: NetworkPolicy, password: string, onRefused: (message: string) => void): Admit {
  const expected = Buffer.from(`Basic ${Buffer.from(`assay:${password}`).toString('base64')}`);
  return async (request, target) => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return { ok: false, status: 407, message: 'This proxy serves only the programs that it was started for.' };
    }
    const [, host, port] = /^(\[[^\]]*\]|[^:\s/@]+):(\d{1,5})$/.exec(target) ?? [];
    if (host === undefined) return { ok: false, status: 400, message: 'The target must be host:port.' };
    try {
      return { ok: true, port: Number(port), ...(await policy.check(host, Number(port))) };
    } catch (error) {
      const known = error instanceof NetworkRefusal || error instanceof HostNotFound;
      const message = known ? error.message : `"${host}" could not be checked.`;
      onRefused(message);
      return { ok: false, status: error instanceof NetworkRefusal ? 403 : 502, message };
    }
  };
}
