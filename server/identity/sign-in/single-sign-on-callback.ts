import type { FastifyInstance } from 'fastify';
import { admitPerson } from '../admit-person.ts';
import { attemptCookie } from '../auth.ts';
import { readCookie } from '../cookie-name.ts';
import { findUser } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { callbackPath } from '../single-sign-on.ts';
import { signedIn } from './identified-sign-in.ts';
import { passCookies, withoutSession } from './library.ts';

/**
 * Serves the address to which the provider sends the browser back. It is for providers, which add parameters of their
 * own, and so in no description.
 */
export function addSingleSignOnCallback(scope: FastifyInstance, identity: IdentityServices): void {
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
