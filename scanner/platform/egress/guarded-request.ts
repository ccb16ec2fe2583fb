import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { inSpan, traceContext } from '../tracing.ts';
import { type NetworkPolicy, NetworkRefusal, pinnedLookup } from './network-policy.ts';

type GuardedRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /**
   * The maximum number of redirects. Every hop is checked like the first. With 0, a redirect is returned unfollowed.
   */
  maxRedirects?: number;
  /** The time from the start of the request to the end of the body. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** A larger body causes an error. */
  maxBytes?: number;
  /** TLS options, for callers that need to inspect a server whose certificate or TLS version is not trusted. */
  tls?: Pick<RequestOptions, 'rejectUnauthorized' | 'minVersion' | 'ciphers'>;
};

export type GuardedResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The URL of the response, after redirects. */
  url: string;
  /** The decoded chunks of the body as they arrive. Leaving the loop early closes the connection. */
  body: AsyncIterable<Uint8Array>;
  /** The whole body. */
  bytes(): Promise<Buffer>;
};

export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<GuardedResponse>;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Sends an HTTP request under the network policy, for URLs that come from outside (webhooks, web scans, advisory feeds).
 * Each hop's host is resolved once and checked, and the socket connects to that checked address. Throws NetworkRefusal,
 * HostNotFound, or the connection's error. Read `body` to its end or leave the loop: otherwise the connection stays open
 * until `timeoutMs`.
 */
export function createGuardedFetch(policy: NetworkPolicy): GuardedFetch {
  return async (target, request = {}) => {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? 30_000);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    let hop: Hop = {
      url: new URL(target),
      method: request.method ?? 'GET',
      headers: request.headers ?? {},
      body: request.body,
      tls: request.tls,
    };
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(policy, hop, signal);
      const location = redirectStatuses.has(response.statusCode!) ? response.headers.location : undefined;
      const maxRedirects = request.maxRedirects ?? 5;
      if (location === undefined || maxRedirects === 0)
        return present(response, hop.url, request.maxBytes ?? 50 * 2 ** 20);
      response.destroy();
      if (redirects >= maxRedirects) throw new Error(`${hop.url.origin} redirects more than ${maxRedirects} times`);
      hop = follow(hop, location, response.statusCode!);
    }
  };
}

type Hop = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: GuardedRequest['body'];
  tls: GuardedRequest['tls'];
};

/** Sends one hop as a span, with only the host of the URL: paths and queries contain secrets. */
const send = (policy: NetworkPolicy, hop: Hop, signal: AbortSignal): Promise<IncomingMessage> =>
  inSpan(
    () => ({
      name: hop.method,
      kind: 'client',
      attributes: { 'http.request.method': hop.method, 'server.address': hop.url.hostname },
    }),
    async (span) => {
      const headers = span ? { ...hop.headers, ...traceContext() } : hop.headers;
      const response = await sendHop(policy, { ...hop, headers }, signal);
      span?.set({ 'http.response.status_code': response.statusCode! });
      return response;
    },
  );

async function sendHop(policy: NetworkPolicy, hop: Hop, signal: AbortSignal): Promise<IncomingMessage> {
  const { url } = hop;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NetworkRefusal(url.hostname, `Only http and https addresses may be requested, not "${url.protocol}".`);
  }
  const { addresses } = await policy.check(url.hostname);
  signal.throwIfAborted();
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = start(url, {
    method: hop.method,
    headers: { 'user-agent': 'Assay', ...hop.headers },
    // Uses a separate agent: a pooled socket could be connected to an address that was checked earlier.
    agent: false,
    lookup: pinnedLookup(addresses),
    signal,
    ...hop.tls,
  });
  request.on('response', resolve);
  request.on('error', reject);
  request.end(hop.body);
  return promise;
}

const credentials = new Set(['authorization', 'cookie', 'proxy-authorization']);
const bodyHeaders = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding']);

function follow(hop: Hop, location: string, status: number): Hop {
  const url = new URL(location, hop.url);
  const becomesGet =
    status === 303 ? hop.method !== 'HEAD' : (status === 301 || status === 302) && hop.method === 'POST';
  const kept = Object.entries(hop.headers).filter(([name]) => {
    if (url.origin !== hop.url.origin && credentials.has(name.toLowerCase())) return false;
    return !(becomesGet && bodyHeaders.has(name.toLowerCase()));
  });
  const headers = Object.fromEntries(kept);
  return becomesGet ? { ...hop, url, method: 'GET', headers, body: undefined } : { ...hop, url, headers };
}

function present(response: IncomingMessage, url: URL, maxBytes: number): GuardedResponse {
  // The body's reader receives the error; the timeout of an unread body must not crash the process.
  response.on('error', () => {});
  async function* read(): AsyncGenerator<Uint8Array> {
    let total = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > maxBytes) throw new Error(`${url.origin} sent more than ${maxBytes} bytes`);
      yield chunk;
    }
  }
  const body = read();
  return {
    status: response.statusCode!,
    headers: response.headers,
    url: url.href,
    body,
    bytes: async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}
