import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import type { Log } from '../log.ts';
import type { UnknownPath } from './unknown-path.ts';

export type AcceptedRequests = {
  /** The public URL of the service. */
  baseUrl: string;
  /** Further names of the service, such as its name inside a cluster. */
  allowedHosts: string[];
  /** The prefix of the API, and the errors for its paths. */
  prefix: string;
  unknownPath: UnknownPath;
  log: Log;
};

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
export const allMethods = [...methods].sort().join(', ');

/** Returns the name or address in a `Host`, without its port; null for a value that is not a host. */
function nameOf(host: string): string | null {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{0,5})?$/i.exec(host) ?? [];
  return (address ?? name)?.toLowerCase().replace(/\.$/, '') ?? null;
}

const openPaths = new Set(['/healthz', '/readyz']);
const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0]!;

/**
 * Refuses requests for a host that is not this service's own. Otherwise, a page of another site whose name resolves
 * to this machine (DNS rebinding) would share our origin. Addresses can't be rebound. Probes may use any name.
 */
function requireOwnHost(request: FastifyRequest, names: ReadonlySet<string>, log: Log): void {
  const { rawHeaders, httpVersion, headers } = request.raw;
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (count > 1) throw invalid('header', 'Host', 'must be given once only');
  if (headers.host === undefined) {
    if (httpVersion === '1.1') throw invalid('header', 'Host', 'is required');
    return;
  }
  if (openPaths.has(pathOf(request))) return;
  // Behind a trusted proxy, `request.host` comes from X-Forwarded-Host.
  for (const host of [headers.host, request.host]) {
    const name = nameOf(host);
    if (name !== null && (names.has(name) || isIP(name) !== 0)) continue;
    log.warn(
      { host: host.slice(0, 300), requestId: request.id },
      'Refused a request for another host. If this is a name of this service, add it to ASSAY_ALLOWED_HOSTS, or set ASSAY_BASE_URL.',
    );
    throw new ApiError(
      'misdirected_request',
      'Host: this server does not serve this name. Use the address that its operator gave you, or ask them to allow this one.',
    );
  }
}

function requireKnownMethod(request: FastifyRequest, prefix: string, unknownPath: UnknownPath): void {
  if (methods.has(request.method)) return;
  const path = pathOf(request);
  const refusal = path.startsWith(`${prefix}/`) ? unknownPath.refuse(request.method, path.slice(prefix.length)) : null;
  if (refusal?.code === 'method_not_allowed') throw refusal;
  throw new ApiError('method_not_allowed', `${request.method} is not possible here.`, {
    headers: { Allow: allMethods },
  });
}

/** Refuses requests that no route accepts, before anything in them is looked up or read. */
export function acceptOnlyOurs(app: FastifyInstance, options: AcceptedRequests): void {
  const own = URL.canParse(options.baseUrl) ? [nameOf(new URL(options.baseUrl).host) ?? ''] : [];
  const names = new Set(['localhost', ...own, ...options.allowedHosts.map((name) => name.toLowerCase())]);
  // Node.js would respond itself, without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async (request) => {
    requireOwnHost(request, names, options.log);
    requireKnownMethod(request, options.prefix, options.unknownPath);
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw invalid('header', 'Expect', 'can be 100-continue only, or left out');
  });
}
