import { createAddressList, parseNetwork } from '../platform/egress/address-list.ts';
import { ApiError, invalid } from '../platform/errors.ts';

/** The conditions for members' access to an organization, as the API shows them. */
export type SignInPolicy = {
  /** Whether a session needs a second factor: a code, a passkey, or single sign-on, whose provider requires it. */
  second_factor: boolean;
  /** Whether the organization accepts only single sign-on. */
  single_sign_on: boolean;
  /** Whether a session that started with a password has access to the organization. */
  password: boolean;
  /** The maximum life of API tokens, in days; null for no limit. */
  token_longest_days: number | null;
  /** The addresses and networks from which tokens and sessions are accepted; empty for all. */
  allowed_addresses: string[];
};

/** The policy of organizations without one. */
export const defaultSignInPolicy: SignInPolicy = {
  second_factor: false,
  single_sign_on: false,
  password: true,
  token_longest_days: null,
  allowed_addresses: [],
};

export const signInMethods = ['password', 'code', 'recovery_code', 'passkey', 'single_sign_on'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** The way the person of a session signed in. The method is null for sessions from before this was recorded. */
export type SignInFacts = { method: SignInMethod | null; secondFactor: boolean };

const withPassword: ReadonlySet<SignInMethod | null> = new Set(['password', 'code', 'recovery_code', null]);

/** Returns why a session does not meet a policy, and what to do; null if it does. */
export function sessionRefusal(policy: SignInPolicy, { method, secondFactor }: SignInFacts): ApiError | null {
  if (policy.single_sign_on && method !== 'single_sign_on') {
    return new ApiError(
      'single_sign_on_required',
      'This organization requires single sign-on. Sign out, and sign in with it.',
    );
  }
  if (!policy.password && withPassword.has(method)) {
    return new ApiError(
      'password_not_accepted',
      'This organization does not accept a sign-in with a password. Sign out, and sign in with a passkey or single sign-on.',
    );
  }
  if (policy.second_factor && !secondFactor) {
    return new ApiError(
      'second_factor_required',
      'This organization requires a second factor. Set one up in your profile, or sign in again with the one that you have.',
    );
  }
  return null;
}

/** Returns the refusal of a request from an address that the policy does not list; null if it is accepted. */
export function addressRefusal(policy: SignInPolicy, address: string): ApiError | null {
  if (policy.allowed_addresses.length === 0) return null;
  if (createAddressList(policy.allowed_addresses).includes(address)) return null;
  return new ApiError(
    'address_not_allowed',
    `This organization does not accept requests from your address, ${address}. Ask an administrator to allow it, or use a network that is allowed.`,
  );
}

const dayMs = 86_400_000;

/** Returns when a token ends under a policy; null if it does not. */
export function tokenEnd(policy: SignInPolicy, token: { created_at: Date; expires_at: Date | null }): Date | null {
  if (policy.token_longest_days === null) return token.expires_at;
  const longest = new Date(token.created_at.getTime() + policy.token_longest_days * dayMs);
  return token.expires_at !== null && token.expires_at < longest ? token.expires_at : longest;
}

/**
 * Returns the policy in its normal form. Throws `invalid_request` for a text that is not an address, and for a policy
 * that nobody could meet.
 */
export function requireSignInPolicy(
  policy: SignInPolicy,
  { hasSingleSignOn }: { hasSingleSignOn: boolean },
): SignInPolicy {
  if (policy.single_sign_on && !hasSingleSignOn) {
    const message = 'needs a provider of single sign-on, which the operator configures (ASSAY_OIDC_ISSUER)';
    throw invalid('body', 'sign_in.single_sign_on', message);
  }
  const networks = policy.allowed_addresses.map((text) => text.trim().toLowerCase());
  const wrong = networks.findIndex((text) => parseNetwork(text) === null);
  if (wrong !== -1) {
    const message = 'must be an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32';
    throw invalid('body', `sign_in.allowed_addresses[${wrong}]`, message);
  }
  return { ...policy, allowed_addresses: [...new Set(networks)] };
}
