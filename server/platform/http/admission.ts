import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Allowance, LocalRateLimiter, Rate, RateLimiter } from '../rate-limit/rate-limit.ts';
import type { Actor } from './actor.ts';
import type { Permission, RolePermission } from './route.ts';

export type AdmissionOptions = {
  /** Who asks; throws an ApiError of status 401 when nobody that is known. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Throws `forbidden` or `insufficient_scope` unless the actor has both the role and the scope. */
  authorize(actor: Actor, permission: RolePermission): void;
  rateLimiter: RateLimiter;
  /** Counts wrong credentials, on each node by itself: asking all nodes would cost every request a round trip. */
  addresses: LocalRateLimiter;
  /** Wrong credentials that one address may present. */
  failedAuthentications: Rate;
};

export const defaultFailedAuthentications: Rate = { requestsPerMinute: 20, burstPerMinute: 40 };

/** An IPv6 network of 64 bits is one customer: counting its single addresses would limit nobody. */
function addressKey(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return `address:${address}`;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `address:${groups.slice(0, 4).join(':')}`;
}

function limited(allowance: Allowance, what: string): ApiError {
  const seconds = allowance.retryAfterSeconds;
  return new ApiError('rate_limited', `${what} Wait ${seconds} second${seconds === 1 ? '' : 's'} and try again.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Authenticates, counting wrong tokens by address. A request without one is no guess, and neither is a session that
 * has ended: a console left open must not lock its user out.
 */
async function authenticateLimited(request: FastifyRequest, options: AdmissionOptions): Promise<Actor> {
  const { addresses, failedAuthentications } = options;
  const key = addressKey(request.ip);
  const before = addresses.peek(key, failedAuthentications);
  if (!before.allowed) throw limited(before, 'Too many failed authentications from this address.');
  try {
    return await options.authenticate(request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if (request.headers.authorization !== undefined) addresses.charge(key, failedAuthentications);
    throw error;
  }
}

/** Tells the caller's limit and what is left of it, as draft-ietf-httpapi-ratelimit-headers-10 writes it. */
function writeRateLimit(reply: FastifyReply, rate: Rate, allowance: Allowance): void {
  reply.header('RateLimit-Policy', `"default";q=${rate.burstPerMinute};w=60`);
  reply.header('RateLimit', `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`);
}

/** The checks before a request is looked at: address limit, authentication, the caller's own limit. In this order. */
export async function admit(request: FastifyRequest, reply: FastifyReply, options: AdmissionOptions): Promise<Actor> {
  const actor = await authenticateLimited(request, options);
  const allowance = await options.rateLimiter.take(`credential:${actor.credentialId}`, actor.rateLimit);
  writeRateLimit(reply, actor.rateLimit, allowance);
  if (!allowance.allowed) {
    throw limited(
      allowance,
      `More than the ${actor.rateLimit.requestsPerMinute} requests per minute of this credential.`,
    );
  }
  return actor;
}

/** Throws 403 unless the actor may call a route of this permission. */
export function requirePermission(
  actor: Actor,
  permission: Permission,
  authorize: AdmissionOptions['authorize'],
): void {
  if (permission === 'public') return;
  if (permission !== 'session') authorize(actor, permission);
  else if (actor.kind !== 'session') {
    throw new ApiError('session_required', 'Only for people signed in to the console: an API token can not do this.');
  }
}
