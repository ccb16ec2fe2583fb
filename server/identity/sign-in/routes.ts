import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { formatTime } from '../../platform/times.ts';
import { changeAccount } from '../account-changes/change-account.ts';
import { recordFactorChange } from '../account-changes/record-own-account.ts';
import { requireEmail } from '../create-user.ts';
import { WrongGuess } from '../guess-limits/guess-limits.ts';
import { callLibrary, passCookies, withoutSession } from '../library/call-library.ts';
import { readOwnPath } from '../library/own-path.ts';
import { refusalOf } from '../library/refusal.ts';
import { sessionEnd } from '../library/session.ts';
import type { IdentityServices } from '../services.ts';
import { deleteSession } from '../session-queries.ts';
import { hashRecoveryCode } from '../two-factor/recovery-codes.ts';
import { endSession, personView, signedIn } from './identified-sign-in.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { joinRoutes } from './join-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { outside } from './outside.ts';
import { assertionExample, PasskeyRequestOptions, PasskeySignIn, requestOptionsExample } from './passkey-schema.ts';
import { beginAuthentication, completeAuthentication, hasPasskeys, type PasskeyCredential } from './passkeys.ts';
import { signInWithPassword } from './password-sign-in.ts';
import {
  personExample,
  SignInCode,
  SignInOptions,
  SignInRecoveryCode,
  SignInRequest,
  SignInResult,
  SignInSession,
  signInOptionsExample,
} from './schema.ts';

const SingleSignOnRequest = Type.Object(
  {
    redirect: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'The path of this server to go to afterwards; by default `/`.' }),
    ),
  },
  { $id: 'SingleSignOnRequest' },
);

const SingleSignOnStart = Type.Object(
  { url: Type.String({ description: 'The address of the provider: send the browser there.' }) },
  { $id: 'SingleSignOnStart' },
);

const begin = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-in/single-sign-on',
  operationId: 'beginSingleSignOn',
  summary: 'Begin a single sign-on',
  description:
    'Returns the address of the provider, and sets a cookie that is valid for 10 minutes. The provider sends the browser back to `/auth/single-sign-on/callback`, which signs the person in and redirects to `redirect`, or to `/sign-in?error=…` with `single_sign_on_refused` (this person may not sign in), `single_sign_on_failed` or `single_sign_on_expired`.',
  body: SingleSignOnRequest,
  requestExample: { redirect: '/findings' },
  responses: {
    200: {
      schema: SingleSignOnStart,
      description: 'The address to go to.',
      example: { url: 'https://login.example.com/authorize?client_id=assay' },
    },
  },
  errors: ['not_found', 'forbidden', 'rate_limited'],
  handler: async ({ body, context: { identity }, request, reply }) => {
    if (!identity.singleSignOn) {
      throw new ApiError('not_found', 'Single sign-on is not configured here. Sign in with your password.');
    }
    const redirect = readOwnPath(body.redirect ?? '/');
    if (redirect === null) throw invalid('body', 'redirect', 'must be a path of this server, such as /findings');
    await identity.guesses.limitCeremonies(request.ip);
    const { url, response } = await identity.singleSignOn.begin(identity.auth, withoutSession(request), redirect);
    passCookies(reply, response);
    return { url };
  },
});

const singleSignOnRoutes = [begin];

const options = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-in/passkey/options',
  operationId: 'beginPasskeySignIn',
  summary: 'Begin to sign in with a passkey',
  description:
    'Returns the options for the browser, and sets a cookie with the challenge, which is valid for 5 minutes.',
  responses: {
    200: { schema: PasskeyRequestOptions, description: 'The options.', example: requestOptionsExample },
  },
  errors: ['forbidden', 'rate_limited'],
  handler: ({ context, request, reply }) => beginAuthentication(context.identity, { request, reply }),
});

const signInByPasskey = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-in/passkey',
  operationId: 'signInWithPasskey',
  summary: 'Sign in with a passkey',
  description: 'Sets the session cookie. No code is needed: the device has verified the person.',
  body: PasskeySignIn,
  requestExample: { credential: assertionExample },
  responses: {
    200: {
      schema: SignInResult,
      description: 'Signed in.',
      example: { status: 'signed_in', user: personExample },
    },
  },
  errors: ['unauthenticated', 'forbidden', 'rate_limited'],
  handler: async ({ body, context: { identity }, request, reply }) => {
    const { failedAuthentications } = identity;
    try {
      const credential = body.credential as PasskeyCredential;
      const response = await completeAuthentication(identity, { request, reply }, credential);
      return await signedIn(identity, { request, reply }, response, 'passkey');
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'unauthenticated';
      throw isRefused ? await failedAuthentications.refuse(request.ip, error) : error;
    }
  },
});

const passkeyRoutes = [options, signInByPasskey];

const getOptions = defineRoute({
  ...outside,
  method: 'GET',
  path: '/auth/options',
  operationId: 'getSignInOptions',
  summary: 'Get the ways to sign in',
  description: 'Returns the ways to sign in that the operator has configured, for the sign-in page.',
  responses: {
    200: { schema: SignInOptions, description: 'The ways to sign in.', example: signInOptionsExample },
  },
  errors: [],
  handler: async ({ context: { identity }, request }) => ({
    password_reset: identity.sendsMail,
    passkeys: hasPasskeys(request),
    single_sign_on: identity.singleSignOn ? { name: 'Single sign-on' } : null,
  }),
});

const getSession = defineRoute({
  ...outside,
  method: 'GET',
  path: '/auth/session',
  operationId: 'getSession',
  summary: 'Get the session',
  description:
    'Returns the person of the session cookie, and keeps the session alive: it ends after 7 days without this request, and 30 days after the sign-in in any case.',
  responses: {
    200: {
      schema: SignInSession,
      description: 'The session.',
      example: { user: personExample, expires_at: '2026-02-07T09:30:00Z' },
    },
  },
  errors: [],
  handler: async ({ context, request, reply }) => {
    const response = await callLibrary(context.identity.auth, request, '/get-session');
    passCookies(reply, response);
    if (!response.body) return { user: null, expires_at: null };
    const { user, session } = response.body;
    const end = sessionEnd(new Date(session.expiresAt), new Date(session.signedInAt ?? session.createdAt));
    if (end.getTime() <= Date.now()) return { user: null, expires_at: null };
    return { user: personView(user), expires_at: formatTime(end) };
  },
});

const signInExample = { status: 'signed_in', user: personExample };

const signIn = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-in/email',
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'Sets the session cookie, or, with `code_required`, a cookie for the second step. A wrong address and a wrong password get the same response. With `account_required`, several accounts of the address have this password: repeat the request with the `user_id` of one.',
  body: SignInRequest,
  requestExample: { email: personExample.email, password: 'correct horse battery' },
  responses: { 200: { schema: SignInResult, description: 'The next step.', example: signInExample } },
  errors: ['unauthenticated', 'forbidden', 'rate_limited'],
  handler: async ({ body, context: { identity }, request, reply }) => {
    const { password, remember_me: rememberMe = true, user_id: userId } = body;
    const wanted = { email: requireEmail(body.email), password, rememberMe, userId };
    return signInWithPassword(identity, { request, reply }, wanted);
  },
});

async function signInWithCode(
  identity: IdentityServices,
  call: { request: FastifyRequest; reply: FastifyReply },
  method: 'code' | 'recovery_code',
  body: { code: string; trust_device?: boolean },
) {
  const path = method === 'code' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const code = body.code.replaceAll(/\s/g, '');
  return identity.guesses.attempt(call.request.ip, async () => {
    // Recovery codes are stored as hashes, which the library compares.
    const sent = method === 'code' ? code : hashRecoveryCode(code);
    const wanted = { code: sent, trustDevice: body.trust_device ?? false };
    // With a session, the library would only check the code and start no new session.
    const response = await callLibrary(identity.auth, withoutSession(call.request), path, wanted);
    if (!response.ok) {
      passCookies(call.reply, response);
      throw refusalOf(response, 'code');
    }
    const userId: string = response.body.user.id;
    if (await identity.guesses.isFirstUse(userId, code)) {
      if (method === 'recovery_code') {
        await changeAccount(identity, userId, (tx, account) =>
          recordFactorChange(tx, account, call.request.ip, 'recovery_code_used'),
        );
      }
      return signedIn(identity, call, response, method);
    }
    await identity.database.transaction(null, (tx) => deleteSession(tx, response.body.token));
    throw new WrongGuess('unauthenticated', 'The code was used before. Wait for the next one, and sign in again.');
  });
}

const codeErrors = ['unauthenticated', 'forbidden', 'rate_limited'] as const;

const signInCode = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-in/code',
  operationId: 'signInWithCode',
  summary: 'Sign in with a code',
  description: 'The second step of a sign-in, with the code of an authenticator. Each code works once.',
  body: SignInCode,
  requestExample: { code: '123456' },
  responses: { 200: { schema: SignInResult, description: 'Signed in.', example: signInExample } },
  errors: [...codeErrors],
  handler: ({ body, context, request, reply }) => signInWithCode(context.identity, { request, reply }, 'code', body),
});

const signInRecoveryCode = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-in/recovery-code',
  operationId: 'signInWithRecoveryCode',
  summary: 'Sign in with a recovery code',
  description: 'The second step of a sign-in without the authenticator.',
  body: SignInRecoveryCode,
  requestExample: { code: 'k3vwzm-8tqh2p-c5xnde-y7rgfa' },
  responses: { 200: { schema: SignInResult, description: 'Signed in.', example: signInExample } },
  errors: [...codeErrors],
  handler: ({ body, context, request, reply }) =>
    signInWithCode(context.identity, { request, reply }, 'recovery_code', body),
});

const signOut = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/sign-out',
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session on every node and removes its cookie. Does nothing without a session.',
  responses: { 204: { description: 'Signed out.' } },
  errors: ['forbidden'],
  handler: async ({ context: { identity }, request, reply }) => {
    // We sign out ourselves first, because the library reports success even when it can't write.
    await endSession(identity.database, request);
    passCookies(reply, await callLibrary(identity.auth, request, '/sign-out', {}));
  },
});

/** The sign-in endpoints. All other endpoints of the sign-in library are off. */
export const signInRoutes = [
  getOptions,
  getSession,
  signIn,
  signInCode,
  signInRecoveryCode,
  signOut,
  ...passkeyRoutes,
  ...singleSignOnRoutes,
  ...linkRoutes,
  ...joinRoutes,
  ...invitationRoutes,
];
