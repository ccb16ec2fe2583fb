import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { announceAuthenticationChange } from '../organization/authentication-changes.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import { addressKey, limited } from '../platform/http/failed-authentications.ts';
import { invalidFields } from '../platform/http/failure.ts';
import { parseJsonBody, readBody } from '../platform/http/json-body.ts';
import { readQueryString } from '../platform/http/query-string.ts';
import { type Check, compileShape } from '../platform/http/shape.ts';
import { type Database, translateDatabaseError } from '../platform/postgres/database.ts';
import { createMemoryRateLimiter, type Rate } from '../platform/rate-limit/rate-limit.ts';
import { type Auth, clientAddressHeader } from './auth.ts';
import { requireEmail } from './create-user.ts';
import { GuessLimits } from './guess-limits.ts';
import { checkPassword } from './password.ts';
import { deleteSession } from './queries.ts';
import { readSessionCookie, requireSessionUser, tokenOfCookie } from './session.ts';
import { readSignInFailure } from './sign-in-failure.ts';
import { type SignInRoute, signInRoutes } from './sign-in-routes.ts';

const bodyLimitBytes = 64 * 1024;

/** Requests to the sign-in that one address may make, successful or not. */
const requestsOfAddress: Rate = { requestsPerMinute: 300, burstPerMinute: 600 };

type Body = Record<string, unknown>;

function toWebRequest(request: FastifyRequest, origin: string, route: SignInRoute, body: Body): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  }
  headers.set(clientAddressHeader, request.ip);
  headers.delete('content-length');
  if (route.method === 'POST') headers.set('content-type', 'application/json');
  return new Request(new URL(route.path, origin), {
    method: route.method,
    headers,
    body: route.method === 'POST' ? JSON.stringify({ ...body, ...route.always }) : null,
  });
}

async function sendWebResponse(reply: FastifyReply, response: Response, text: string): Promise<FastifyReply> {
  reply.status(response.status).type('application/json; charset=utf-8').header('cache-control', 'no-store');
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  return reply.send(text);
}

/** The library does not report why it failed. Throws `unavailable` (503) when the database is unavailable. */
async function requireDatabase(auth: Auth): Promise<void> {
  await auth.options.database.query('SELECT 1').catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
}

/** The library signs out without an error when it can't write: this throws what kept the session from ending. */
async function requireSessionEnd(request: FastifyRequest, database: Database): Promise<void> {
  const cookie = readSessionCookie(request);
  if (cookie !== undefined) await deleteSession(database, tokenOfCookie(cookie));
}

function readRequest(request: FastifyRequest, route: SignInRoute, check: Check): Body {
  for (const name of readQueryString(request.raw.url ?? '').keys()) {
    throw invalid('query', name, 'is not a parameter of this endpoint: there are none');
  }
  const body = (route.method === 'POST' ? (request.body ?? {}) : {}) as Body;
  const details = check(body);
  if (details.length > 0) throw invalidFields(details);
  if (typeof body.email === 'string') body.email = requireEmail(body.email);
  return body;
}

type Parts = { auth: Auth; database: Database; baseUrl: string; guesses: GuessLimits };

async function handle(
  request: FastifyRequest,
  reply: FastifyReply,
  { auth, database, baseUrl, guesses }: Parts,
  route: SignInRoute,
  check: Check,
): Promise<FastifyReply> {
  const user = route.session ? await requireSessionUser(auth, request, baseUrl) : null;
  const body = readRequest(request, route, check);
  const email = (body.email as string | undefined) ?? user?.email ?? null;
  if (route.newPassword) {
    checkPassword(body[route.newPassword] as string, { field: route.newPassword, email: email ?? undefined });
  }
  const giveBack = route.guess ? await guesses.take(request.ip, email) : async () => {};
  const response = await auth.handler(toWebRequest(request, auth.options.baseURL, route, body));
  const text = await response.text();
  if (response.status >= 500) await requireDatabase(auth);
  const failure = response.ok ? null : readSignInFailure(route, response.status, text);
  if (!failure?.isWrongGuess) await giveBack();
  // Refusals also remove cookies, for example when a sign-in took too long.
  for (const cookie of failure ? response.headers.getSetCookie() : []) reply.header('set-cookie', cookie);
  if (failure) throw failure.error;
  if (route.endsSession) await requireSessionEnd(request, database);
  if (route.method === 'POST') await database.transaction(null, announceAuthenticationChange);
  return sendWebResponse(reply, response, text);
}

/**
 * Serves the sign-in, outside the API's prefix: only the endpoints of better-auth that `signInRoutes` lists. The
 * platform provides validation, errors and limits; successful responses are better-auth's. The client's address is
 * Fastify's `request.ip`.
 */
export async function mountAuth(app: FastifyInstance, auth: Auth, database: Database, baseUrl: string): Promise<void> {
  const parts: Parts = { auth, database, baseUrl, guesses: new GuessLimits(database) };
  const requests = createMemoryRateLimiter();
  await app.register(async (scope) => {
    scope.addHook('onClose', async () => requests.close?.());
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const allowance = await requests.take(addressKey(request.ip), requestsOfAddress);
      if (!allowance.allowed) throw limited(allowance, 'Too many requests to the sign-in from this address.');
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', async (_request: FastifyRequest, payload: FastifyRequest['raw']) =>
      parseJsonBody(await readBody(payload, bodyLimitBytes)),
    );
    for (const route of signInRoutes) {
      const check = compileShape(route.body, 'body');
      scope.route({
        method: route.method,
        url: route.path,
        exposeHeadRoute: false,
        handler: (request, reply) => handle(request, reply, parts, route, check),
      });
      scope.route({
        method: (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => method !== route.method),
        url: route.path,
        exposeHeadRoute: false,
        handler: async () => {
          throw new ApiError('method_not_allowed', `This path supports only ${route.method}.`, {
            headers: { Allow: route.method },
          });
        },
      });
    }
  });
}
