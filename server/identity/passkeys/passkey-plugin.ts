import { AsyncLocalStorage } from 'node:async_hooks';
import { passkey } from '@better-auth/passkey';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';

/** The outcome of a ceremony: the library reports a wrong signature and a failed write alike. */
export type Ceremony = { isVerified: boolean };

export const ceremonies = new AsyncLocalStorage<Ceremony>();

/**
 * The library accepts a device that did not verify its user. A passkey replaces the password and the second factor, so
 * it must have.
 */
function requireVerifiedUser(isUserVerified: boolean): void {
  if (!isUserVerified) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' });
  const ceremony = ceremonies.getStore();
  if (ceremony) ceremony.isVerified = true;
}

/**
 * Makes the domain of the page, whose origin was checked before, the passkey's domain. The library has only the base
 * URL's, but a server can have several names.
 */
const domainOfPage = createAuthMiddleware(async ({ headers }) => {
  const origin = headers?.get('origin') ?? `http://${headers?.get('host')}`;
  return { context: { context: { options: { baseURL: origin } } } };
});

const plugin = passkey({
  rpName: 'Assay',
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  registration: {
    afterVerification: async ({ verification: { registrationInfo } }) =>
      requireVerifiedUser(registrationInfo?.userVerified === true),
  },
  authentication: {
    afterVerification: async ({ verification: { authenticationInfo } }) =>
      requireVerifiedUser(authenticationInfo.userVerified),
  },
  advanced: { webAuthnChallengeCookie: 'passkey' },
  schema: {
    passkey: {
      modelName: 'passkeys',
      fields: {
        publicKey: 'public_key',
        userId: 'user_id',
        credentialID: 'credential_id',
        deviceType: 'device_type',
        backedUp: 'backed_up',
        createdAt: 'created_at',
      },
    },
  },
});

const {
  generatePasskeyRegistrationOptions,
  verifyPasskeyRegistration,
  generatePasskeyAuthenticationOptions,
  verifyPasskeyAuthentication,
} = plugin.endpoints;

/** The library's passkeys: the two ceremonies. We list, rename and remove passkeys ourselves, and audit that. */
export const passkeyPlugin = {
  ...plugin,
  endpoints: {
    generatePasskeyRegistrationOptions,
    verifyPasskeyRegistration,
    generatePasskeyAuthenticationOptions,
    verifyPasskeyAuthentication,
  },
  hooks: {
    before: [{ matcher: ({ path }) => path?.startsWith('/passkey/') ?? false, handler: domainOfPage }],
  },
} satisfies BetterAuthPlugin;
