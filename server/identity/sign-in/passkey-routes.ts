import { defineRoute } from '../../context.ts';
import { ApiError } from '../../platform/errors.ts';
import { signedIn } from './identified-sign-in.ts';
import { outside } from './outside.ts';
import { assertionExample, PasskeyRequestOptions, PasskeySignIn, requestOptionsExample } from './passkey-schema.ts';
import { beginAuthentication, completeAuthentication, type PasskeyCredential } from './passkeys.ts';
import { personExample, SignInResult } from './schema.ts';

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

const signIn = defineRoute({
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

export const passkeyRoutes = [options, signIn];
