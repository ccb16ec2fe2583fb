import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payer } from '../cost/request-cost.ts';
import { ApiError } from '../errors.ts';
import { type Allowance, allowanceOf, type Rate, type RateLimiter } from '../rate-limit/rate-limit.ts';
import type { Actor } from './actor.ts';
import { type FailedAuthentications, limited } from './failed-authentications.ts';
import type { ProcessorBudget } from './processor-budget.ts';
import type { Permission, RolePermission } from './route.ts';

export type AdmissionOptions = {
  /** Returns the caller. Throws an ApiError with status 401 when the caller is unknown. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Throws `forbidden` or `insufficient_scope` unless the actor has both the role and the scope. */
  authorize(actor: Actor, permission: RolePermission): void;
  rateLimiter: RateLimiter;
  failedAuthentications: FailedAuthentications;
  budget: ProcessorBudget | null;
  /** Called as soon as the caller is known. */
  onCaller?(request: FastifyRequest, actor: Actor): void;
};

/**
 * Authenticates the caller and counts wrong tokens by address. A request without a token is not a guess. A request
 * with an expired session is not one either: a console that was left open must learn that it has to sign in again.
 */
async function authenticateLimited(
  request: FastifyRequest,
  reply: FastifyReply,
  options: AdmissionOptions,
): Promise<Actor> {
  const { failedAuthentications } = options;
  try {
    return await failedAuthentications.lookUp(request.ip, () => options.authenticate(request));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const isGuess = request.headers.authorization !== undefined;
    const refusal = isGuess ? await failedAuthentications.refuse(request.ip, error) : error;
    // A request without a valid token has no rate limit of its own: the address's limit of failures applies.
    writeRateLimit(reply, failedAuthentications.rate, failedAuthentications.allowance(request.ip), 'authentication');
    throw refusal;
  }
}

type Policy = 'default' | 'authentication';

/** Writes a limit and its remainder as defined by draft-ietf-httpapi-ratelimit-headers-10. */
function writeRateLimit(reply: FastifyReply, rate: Rate, allowance: Allowance, policy: Policy = 'default'): void {
  reply.header('RateLimit-Policy', `"${policy}";q=${rate.burstPerMinute};w=60`);
  reply.header('RateLimit', `"${policy}";r=${allowance.remaining};t=${allowance.resetSeconds}`);
}

const rateKey = ({ credentialId }: Actor) => `credential:${credentialId}`;

/** Throws 429 for a caller whose budget is used up, without counting against the rate limit. */
function requireBudget(reply: FastifyReply, actor: Actor, caller: Payer, limiter: RateLimiter): void {
  try {
    caller.require();
  } catch (error) {
    const { rateLimit } = actor;
    const level = limiter.level(rateKey(actor), rateLimit);
    writeRateLimit(reply, rateLimit, allowanceOf(level, rateLimit, false));
    throw error;
  }
}

/**
 * Runs the checks that precede the reading of a request, in this order: authentication, the address's limit of
 * failures, the caller's budget of processor time and its rate limit. From then on the request is charged.
 */
export async function admit(request: FastifyRequest, reply: FastifyReply, options: AdmissionOptions): Promise<Actor> {
  const actor = await authenticateLimited(request, reply, options);
  options.onCaller?.(request, actor);
  const { rateLimiter } = options;
  const payer = request.cost ? options.budget?.callerOf(actor) : undefined;
  if (payer) requireBudget(reply, actor, payer, rateLimiter);
  const allowance = await rateLimiter.take(rateKey(actor), actor.rateLimit);
  writeRateLimit(reply, actor.rateLimit, allowance);
  if (!allowance.allowed) {
    throw limited(
      allowance,
      `More than the ${actor.rateLimit.requestsPerMinute} requests per minute of this credential.`,
    );
  }
  if (payer) request.cost?.open(payer, () => void rateLimiter.spend(rateKey(actor), actor.rateLimit, -1));
  return actor;
}

/** Throws 403 unless the actor may call a route with this permission. */
export function requirePermission(
  actor: Actor,
  { permission, anySignIn = false }: { permission: Permission; anySignIn?: boolean },
  authorize: AdmissionOptions['authorize'],
): void {
  if (actor.refusal && !(anySignIn && actor.kind === 'session')) throw actor.refusal;
  if (permission === 'public' || permission === 'authenticated') return;
  if (permission !== 'session') authorize(actor, permission);
  else if (actor.kind !== 'session') {
    throw new ApiError('session_required', 'Only for people signed in to the console: an API token cannot do this.');
  }
}
