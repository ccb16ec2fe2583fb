import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { FailedAuthentications } from './failed-authentications.ts';

export type ProbeOptions = {
  readiness(): Promise<void>;
  metrics: Metrics;
  /** The token for reading the metrics from other machines; without one, only this machine can read them. */
  metricsToken?: string | null;
  /** Addresses and networks of proxies: their connections do not count as coming from this machine. */
  trustedProxies?: string[];
  failedAuthentications: FailedAuthentications;
  log: Log;
};

const readinessTimeoutMs = 2_000;

/** The reason why requests can't be served, as a sentence that anyone may read. */
export class NotReady extends Error {}

/** Returns the reason why requests can't be served; null when they can. */
async function findObstacle(options: ProbeOptions): Promise<string | null> {
  const timeout = new AbortController();
  try {
    await Promise.race([
      options.readiness(),
      delay(readinessTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
        throw new NotReady(`The database did not respond within ${readinessTimeoutMs / 1000} seconds.`);
      }),
    ]);
    return null;
  } catch (err) {
    options.log.warn({ err }, 'Not ready.');
    return err instanceof NotReady ? err.message : 'The database is not available.';
  } finally {
    timeout.abort();
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const loopback = /^(127\.|::1$|::ffff:127\.)/;

function networksOf(items: string[]): BlockList {
  const networks = new BlockList();
  for (const item of items) {
    const [address = '', bits] = item.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    networks.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return networks;
}

/**
 * Returns whether the request comes from this machine itself. A proxy on it also connects from loopback, but it is a
 * trusted one, or it forwards the address of its client. The request's Host does not matter.
 */
function isFromThisMachine(request: FastifyRequest, proxies: BlockList): boolean {
  const { headers } = request;
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip'] ?? headers.via;
  const address = request.socket.remoteAddress ?? '';
  if (forwarded !== undefined || !loopback.test(address)) return false;
  const plain = address.replace(/^::ffff:/, '');
  return !proxies.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

function mayReadMetrics(request: FastifyRequest, token: string | null, proxies: BlockList): boolean {
  if (token === null) return isFromThisMachine(request, proxies);
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

/**
 * Adds `/healthz` (the process is running), `/readyz` (it can serve: the database is available, and it is not stopping)
 * and `/metrics`.
 */
export function addProbes(app: FastifyInstance, options: ProbeOptions): void {
  const proxies = networksOf(options.trustedProxies ?? []);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const reason = app.isDraining() ? 'The service is stopping.' : await findObstacle(options);
    if (reason === null) return { status: 'ok' };
    return reply.code(503).header('Retry-After', '5').send({ status: 'unavailable', reason });
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, options.metricsToken ?? null, proxies)) {
      const refusal = new ApiError(
        'forbidden',
        'Metrics are for this machine alone, or for holders of the metrics token.',
        { ...(request.headers.authorization !== undefined && { facts: { reason: 'metrics_token' } }) },
      );
      if (request.headers.authorization === undefined) throw refusal;
      throw await options.failedAuthentications.refuse(request.ip, refusal);
    }
    return reply.type(options.metrics.registry.contentType).send(await options.metrics.text());
  });
}
