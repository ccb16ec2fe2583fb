import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { ApiError } from '../../platform/errors.ts';
import { acceptJson } from '../../platform/http/body/json-body.ts';
import { compileRoute, handleRequest } from '../../platform/http/handle.ts';
import type { RouteDefinition } from '../../platform/http/route.ts';
import type { Log } from '../../platform/log.ts';
import { admitPerson } from '../admit-person.ts';
import { readCookie } from '../cookie-name.ts';
import { attemptCookie } from '../library/auth.ts';
import { passCookies, withoutSession } from '../library/call-library.ts';
import { checkOrigin, sendsOurCookies } from '../library/session.ts';
import { callbackPath } from '../library/single-sign-on.ts';
import { findUser } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { signedIn } from './identified-sign-in.ts';

const bodyLimitBytes = 64 * 1024;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Refuses requests from pages of other sites: they could use our cookies, or sign the person in as someone else. */
function requireOwnPage(request: FastifyRequest, baseUrl: string): void {
  if (request.headers.origin !== undefined || sendsOurCookies(request)) checkOrigin(request, baseUrl);
}

/** Serves the sign-in, outside the API's prefix. The client's address is Fastify's `request.ip`. */
export async function mountSignIn(
  app: FastifyInstance,
  routes: readonly RouteDefinition<Context>[],
  context: Context,
  { log, checkResponses }: { log: Log; checkResponses: boolean },
): Promise<void> {
  const { database, identity } = context;
  await app.register(async (scope) => {
    acceptJson(scope);
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      requireOwnPage(request, identity.baseUrl);
    });
    addSingleSignOnCallback(scope, identity);
    for (const definition of routes) {
      const route = compileRoute(definition, checkResponses);
      const { method, path: url } = definition;
      scope.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { definition: definition as unknown as RouteDefinition<never> },
        bodyLimit: bodyLimitBytes,
        handler: async (request, reply) => {
          const payload = await handleRequest(
            route,
            { request, reply, actor: null },
            { context, database, log, config: {} },
          );
          return reply.send(payload);
        },
      });
      scope.route({
        method: methods.filter((other) => other !== method),
        url,
        exposeHeadRoute: false,
        handler: async () => {
          throw new ApiError('method_not_allowed', `This path supports only ${method}.`, {
            headers: { Allow: method },
          });
        },
      });
    }
  });
}

/**
 * Serves the address that the provider redirects the browser to. It is for providers only, which add their own
 * parameters, so it is not in the API description.
 */
function addSingleSignOnCallback(scope: FastifyInstance, identity: IdentityServices): void {
  const { auth, singleSignOn, database } = identity;
  if (!singleSignOn) return;
  scope.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const fail = (reason: string) => {
      identity.failedSignIns.note(request, { method: 'single_sign_on', reason, account: null });
      return reply.redirect(`/sign-in?error=${reason}`);
    };
    const attempt = readCookie(request, identity.baseUrl, attemptCookie);
    if (attempt === undefined) return fail('single_sign_on_expired');
    const { search } = new URL(request.raw.url ?? callbackPath, 'http://own.invalid');
    const outcome = await singleSignOn.complete(auth, withoutSession(request), search, (provided) =>
      admitPerson(database, singleSignOn.settings, provided, request.ip),
    );
    if ('error' in outcome) {
      if (outcome.response) passCookies(reply, outcome.response);
      return fail(outcome.error);
    }
    const user = (await database.transaction(null, (tx) => findUser(tx, outcome.userId)))!;
    await signedIn(identity, { request, reply }, { ...outcome.response, body: { user } }, 'single_sign_on');
    return reply.redirect(outcome.redirect);
  });
}
