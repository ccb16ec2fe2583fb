import type { FastifyInstance } from 'fastify';
import { admitPerson } from '../admit-person.ts';
import type { IdentityServices } from '../services.ts';
import { callbackPath, type SingleSignOnAttempt } from '../single-sign-on.ts';
import { identifiedSignIn } from './identified-sign-in.ts';
import { type SealedCookie, takeSealedCookie } from './sealed-cookie.ts';

/** `Lax`: the browser comes back from another site. */
export const attemptCookie: SealedCookie = { name: 'single_sign_on', validSeconds: 600, sameSite: 'Lax' };

type Outcome = 'single_sign_on_refused' | 'single_sign_on_failed' | 'single_sign_on_expired';

/**
 * Serves the address to which the provider sends the browser back. It is for providers, which add parameters of their
 * own, and so in no description.
 */
export function addSingleSignOnCallback(scope: FastifyInstance, identity: IdentityServices): void {
  const { singleSignOn, database } = identity;
  if (!singleSignOn) return;
  scope.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const fail = (error: Outcome) => reply.redirect(`/sign-in?error=${error}`);
    const attempt = takeSealedCookie<SingleSignOnAttempt>(identity, { request, reply }, attemptCookie);
    if (!attempt) return fail('single_sign_on_expired');
    const provided = await singleSignOn.complete(request.raw.url ?? callbackPath, attempt);
    if (!provided) return fail('single_sign_on_failed');
    const userId = await admitPerson(database, singleSignOn.settings, provided, request.ip);
    if (userId === null) return fail('single_sign_on_refused');
    await identifiedSignIn(identity, { request, reply }, userId, 'single_sign_on');
    return reply.redirect(attempt.redirect);
  });
}
