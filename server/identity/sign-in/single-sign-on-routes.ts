import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { passCookies, withoutSession } from '../library/call-library.ts';
import { readOwnPath } from '../library/own-path.ts';
import { outside } from './outside.ts';

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

export const singleSignOnRoutes = [begin];
