import { AsyncLocalStorage } from 'node:async_hooks';
import { passkey } from '@better-auth/passkey';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';

/** The outcome of a ceremony: the library reports a wrong signature and a failed write in the same way. */
export type Ceremony = { isVerified: boolean };

export const ceremonies = new AsyncLocalStorage<Ceremony>();

/**
 * Requires that the device verified its user, which the library doesn't: a passkey replaces both the password and the
 * second factor.
 */
function requireVerifiedUser(isUserVerified: boolean): void {
  if (!isUserVerified) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' });
  const ceremony = ceremonies.getStore();
  if (ceremony) ceremony.isVerified = true;
}

/**
 * Sets the passkey's domain to that of the page, whose origin was checked before. The library only uses the base
 * URL's domain, but a server can have several names.
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

/**
 * The library's passkeys, reduced to the two ceremonies. We list, rename and remove passkeys ourselves, with audit
 * events.
 */
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
