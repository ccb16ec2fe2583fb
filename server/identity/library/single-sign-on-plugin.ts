import { AsyncLocalStorage } from 'node:async_hooks';
import { type OIDCConfig, type SSOOptions, sso } from '@better-auth/sso';
import type { BetterAuthPlugin } from 'better-auth';
import { addOAuthServerContext, createAuthMiddleware, getOAuthState } from 'better-auth/api';
import { providerOf } from '../provided-account.ts';

/** The person as the provider knows them. */
export type ProvidedPerson = {
  /** Identifies the person at the provider, for ever: `issuer#subject`. */
  accountId: string;
  /** Null where the provider has verified none. */
  email: string | null;
  name: string | null;
};

/** Returns the person who may sign in; null when nobody may. */
export type Admit = (provided: ProvidedPerson) => Promise<string | null>;

/** A browser that came back from the provider: how to admit its person, and what became of it. */
export type Arrival = { admit: Admit; userId: string | null; isRefused: boolean };

export const arrivals = new AsyncLocalStorage<Arrival>();

/** The path that begins an attempt, and the one that completes it. They are called by our own code only. */
export const attemptPath = '/sign-in/sso';
export const arrivalPath = '/sso/callback';

type UserResolver = NonNullable<SSOOptions['resolveUser']>;

/** Decides who signs in. The library sends no nonce and checks none, so that this does. */
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

/** The nonce of an attempt that begins. */
export const nonces = new AsyncLocalStorage<string>();

/** Keeps the nonce beside the attempt's state, which the browser cannot change. */
const keepNonce = createAuthMiddleware(async () => {
  await addOAuthServerContext({ nonce: nonces.getStore() });
});

export type Provider = { providerId: string; domain: string; oidcConfig?: OIDCConfig };

/**
 * The library's single sign-on at the one provider that the operator configured. It keeps no table of providers and has
 * no endpoints that would change one; SAML is off.
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

/** The parts of single sign-on that the library is made with. */
export type LibraryPart = {
  plugin: ReturnType<typeof singleSignOnPlugin>;
  /** The origins that the library may call on behalf of a request. */
  trustedOrigins: (request: Request) => string[];
};
