import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Admit } from './egress-gate.ts';
import { pinnedLookup } from './network-policy.ts';

// Headers of one connection (RFC 9110, 7.6.1), and our own credential, which must not be sent on.
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

/** `count` is called with each stream that is piped on. */
type ForwardOptions = { admit: Admit; count(stream: NodeJS.ReadableStream): void; idleTimeoutMs: number };

/**
 * Serves an absolute-form request (`GET http://host/path`). Redirects are returned to the client, whose next request is
 * checked again.
 */
export async function forwardRequest(
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
