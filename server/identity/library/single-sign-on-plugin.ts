import { AsyncLocalStorage } from 'node:async_hooks';
import { type OIDCConfig, type SSOOptions, sso } from '@better-auth/sso';
import type { BetterAuthPlugin } from 'better-auth';
import { addOAuthServerContext, createAuthMiddleware, getOAuthState } from 'better-auth/api';
import { providerOf } from '../provided-account.ts';

/** The person as identified by the provider. */
export type ProvidedPerson = {
  /** The permanent id of the person at the provider: `issuer#subject`. */
  accountId: string;
  /** Null without an address that the provider has verified. */
  email: string | null;
  name: string | null;
};

/** Returns the user id of the person to sign in; null when the sign-in is refused. */
export type Admit = (provided: ProvidedPerson) => Promise<string | null>;

/** A browser that returned from the provider: how to admit its person, and the outcome. */
export type Arrival = { admit: Admit; userId: string | null; isRefused: boolean };

export const arrivals = new AsyncLocalStorage<Arrival>();

/** The path that starts an attempt, and the one that completes it. Only our own code calls them. */
export const attemptPath = '/sign-in/sso';
export const arrivalPath = '/sso/callback';

type UserResolver = NonNullable<SSOOptions['resolveUser']>;

/** Decides who signs in. It also checks the nonce, since the library neither sends nor checks one. */
const resolveUser: UserResolver = async (input) => {
  const arrival = arrivals.getStore();
  if (!arrival || input.protocol !== 'oidc') return { action: 'reject', code: 'unexpected' };
  const { nonce } = (await getOAuthState())?.serverContext ?? {};
  const { verifiedIdTokenClaims: claims, providerClaims: profile, accountKey } = input;
  if (typeof nonce !== 'string' || claims.nonce !== nonce) return { action: 'reject', code: 'wrong_nonce' };
  const isVerified = profile.email_verified === true && typeof profile.email === 'string';
  const userId = await arrival.admit({
    accountId: `${accountKey.issuer}#${accountKey.accountId}`,
    email: isVerified ? (profile.email as string) : null,
    name: typeof profile.name === 'string' ? profile.name : null,
  });
  arrival.isRefused = userId === null;
  arrival.userId = userId;
  return userId === null ? { action: 'reject', code: 'refused' } : { action: 'link', userId, profile: 'preserve' };
};

/** The nonce of an attempt that is being started. */
export const nonces = new AsyncLocalStorage<string>();

/** Stores the nonce with the attempt's state, which the browser can't change. */
const keepNonce = createAuthMiddleware(async () => {
  await addOAuthServerContext({ nonce: nonces.getStore() });
});

export type Provider = { providerId: string; domain: string; oidcConfig?: OIDCConfig };

/**
 * The library's single sign-on, limited to the one provider that the operator configured. It has no table of
 * providers and no endpoints to change them; SAML is off.
 */
export function singleSignOnPlugin(provider: Provider, redirectURI: string) {
  const plugin = sso({
    defaultSSO: [provider],
    redirectURI,
    providersLimit: 0,
    disableImplicitSignUp: true,
    // `resolveUser` requires a verified address.
    trustEmailVerified: true,
    resolveUser,
  });
  const { signInSSO, callbackSSOShared } = plugin.endpoints;
  return {
    id: plugin.id,
    version: plugin.version,
    endpoints: { signInSSO, callbackSSOShared },
    hooks: { before: [{ matcher: ({ path }) => path === attemptPath, handler: keepNonce }] },
    options: plugin.options,
  } satisfies BetterAuthPlugin;
}

export const newProvider = (issuer: string): Provider => ({ providerId: providerOf(issuer), domain: 'any.invalid' });

/** The parts of single sign-on that the library is created with. */
export type LibraryPart = {
  plugin: ReturnType<typeof singleSignOnPlugin>;
  /** The origins that the library may call on behalf of a request. */
  trustedOrigins: (request: Request) => string[];
};
