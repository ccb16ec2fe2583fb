import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ApiError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

/** The provider of single sign-on that the operator configured. */
export type SingleSignOnSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The label of the button on the sign-in page. */
  name: string;
  /** The domains of addresses that may sign in. Empty: only people who have an account already. */
  allowedDomains: string[];
  /** The role that a person gets at the first sign-in. */
  role: 'viewer' | 'analyst' | 'admin';
  /** The organization that new people join; null: the first. */
  organization: string | null;
};

/** The state that the browser keeps while the person is at the provider. */
export type SingleSignOnAttempt = { state: string; nonce: string; verifier: string; redirect: string };

/** The person as the provider knows them. */
export type ProvidedPerson = {
  /** Identifies the person at the provider, for ever. */
  accountId: string;
  /** Null where the provider has verified none. */
  email: string | null;
  name: string | null;
};

export const callbackPath = '/auth/single-sign-on/callback';
const discoveryMaxAgeMs = 3_600_000;
const timeoutSeconds = 10;

/** Signs people in at an OpenID provider: authorization code with PKCE, state and nonce. */
export class SingleSignOn {
  readonly settings: SingleSignOnSettings;
  readonly #origin: string;
  readonly #log: Log;
  #discovered: { at: number; configuration: Promise<Configuration> } | null = null;

  constructor(settings: SingleSignOnSettings, baseUrl: string, log: Log) {
    this.settings = settings;
    this.#origin = new URL(baseUrl).origin;
    this.#log = log;
  }

  /** Throws `unavailable` when the provider cannot be reached. */
  async #configuration(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    if (!this.#discovered || Date.now() - this.#discovered.at > discoveryMaxAgeMs) {
      // config.ts allows plain http on this machine only.
      const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
      const options = { execute, timeout: timeoutSeconds };
      const configuration = discovery(url, clientId, clientSecret, undefined, options);
      this.#discovered = { at: Date.now(), configuration };
    }
    return this.#discovered.configuration.catch((cause: unknown) => {
      this.#discovered = null;
      throw new ApiError('unavailable', 'The provider of single sign-on cannot be reached. Try again in a minute.', {
        headers: { 'Retry-After': '60' },
        cause,
      });
    });
  }

  /** Returns the address of the provider to go to, and what to keep meanwhile. */
  async begin(redirect: string): Promise<{ url: string; attempt: SingleSignOnAttempt }> {
    const configuration = await this.#configuration();
    const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), redirect };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: `${this.#origin}${callbackPath}`,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, attempt };
  }

  /** Returns the person with whom the provider sent the browser back; null when its answer is not valid. */
  async complete(requestUrl: string, { state, nonce, verifier }: SingleSignOnAttempt): Promise<ProvidedPerson | null> {
    const configuration = await this.#configuration();
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(requestUrl, this.#origin), checks);
      const claims = tokens.claims()!;
      const info = claims.email ? claims : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const isVerified = info.email_verified === true && typeof info.email === 'string';
      return {
        accountId: `${claims.iss}#${claims.sub}`,
        email: isVerified ? (info.email as string) : null,
        name: typeof info.name === 'string' ? info.name : null,
      };
    } catch (error) {
      this.#log.warn({ err: error, component: 'single sign-on' }, 'a single sign-on failed');
      return null;
    }
  }
}
