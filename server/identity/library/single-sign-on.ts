import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { discoverOIDCConfig, type OIDCConfig } from '@better-auth/sso';
import { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type Auth, accountDisabled } from './auth.ts';
import { type Caller, callLibrary, type LibraryResponse } from './call-library.ts';
import { readOwnPath } from './own-path.ts';
import {
  type Admit,
  type Arrival,
  arrivalPath,
  arrivals,
  attemptPath,
  type LibraryPart,
  newProvider,
  nonces,
  type Provider,
  singleSignOnPlugin,
} from './single-sign-on-plugin.ts';

/** The single sign-on provider that the operator configured. */
export type SingleSignOnSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The domains of addresses that may sign in. Empty: only people who already have an account. */
  allowedDomains: string[];
  /** The role that a person gets at their first sign-in. */
  role: 'viewer' | 'developer' | 'analyst' | 'admin';
};

export type { ProvidedPerson } from './single-sign-on-plugin.ts';

export const callbackPath = '/auth/single-sign-on/callback';
const discoveryMaxAgeMs = 3_600_000;
const timeoutMs = 10_000;
/** The library itself waits for the provider's responses without a limit. */
const arrivalTimeoutMs = 20_000;
/** An arrival occupies a connection to the database and needs a second one. */
const maxArrivals = 4;

/** The outcome of an arrival: the library's response, if the person is signed in, or the reason in `error`. */
export type ArrivalOutcome =
  | { userId: string; redirect: string; response: LibraryResponse }
  | { error: 'single_sign_on_refused' | 'single_sign_on_failed'; response: LibraryResponse | null };

/** Signs people in at an OpenID provider: authorization code with PKCE, state and nonce. */
export class SingleSignOn implements LibraryPart {
  readonly settings: SingleSignOnSettings;
  readonly plugin: ReturnType<typeof singleSignOnPlugin>;
  readonly #provider: Provider;
  readonly #log: Log;
  #discovered: { at: number; configuration: Promise<OIDCConfig> } | null = null;
  #arriving = 0;

  constructor(settings: SingleSignOnSettings, baseUrl: string, log: Log) {
    this.settings = settings;
    this.#log = log;
    this.#provider = newProvider(settings.issuer);
    this.plugin = singleSignOnPlugin(this.#provider, `${new URL(baseUrl).origin}${callbackPath}`);
  }

  /** Returns the provider's origins, for its two endpoints only. */
  readonly trustedOrigins = (request: Request): string[] => {
    const { oidcConfig: known } = this.#provider;
    const { pathname } = new URL(request.url);
    if (!known || ![attemptPath, arrivalPath].some((path) => pathname.endsWith(path))) return [];
    const endpoints = [known.tokenEndpoint, known.userInfoEndpoint, known.jwksEndpoint];
    return endpoints.flatMap((endpoint) => (endpoint ? [new URL(endpoint).origin] : []));
  };

  async #discover(): Promise<OIDCConfig> {
    const { issuer, clientId, clientSecret } = this.settings;
    // config.ts allows plain http only on this machine; the endpoints must be no less safe.
    const schemes = new Set(['https:', new URL(issuer).protocol]);
    const isTrustedOrigin = (url: string) => schemes.has(new URL(url).protocol);
    const found = await discoverOIDCConfig({ issuer, timeout: timeoutMs, isTrustedOrigin });
    const client = { clientId, clientSecret, tokenEndpointAuthentication: 'client_secret_post' as const };
    return { ...found, ...client, pkce: true, scopes: ['openid', 'email', 'profile'] };
  }

  /** Returns the provider's endpoints. Throws `unavailable` when it can't be reached. */
  async #prepare(): Promise<void> {
    if (!this.#discovered || performance.now() - this.#discovered.at > discoveryMaxAgeMs) {
      this.#discovered = { at: performance.now(), configuration: this.#discover() };
    }
    const { configuration } = this.#discovered;
    try {
      this.#provider.oidcConfig = await configuration;
    } catch (cause) {
      if (this.#discovered?.configuration === configuration) this.#discovered = null;
      this.#log.warn({ err: cause, component: 'single sign-on' }, 'the provider cannot be reached');
      throw new ApiError(
        'unavailable',
        'The provider of single sign-on cannot be reached at the moment. Try again later.',
        {
          headers: { 'Retry-After': '30' },
          cause,
        },
      );
    }
  }

  /** Returns the provider's address, and adds the attempt's cookie to the response. */
  async begin(auth: Auth, caller: Caller, redirect: string): Promise<{ url: string; response: LibraryResponse }> {
    await this.#prepare();
    const nonce = randomBytes(32).toString('base64url');
    const body = {
      providerId: this.#provider.providerId,
      callbackURL: `/?to=${Buffer.from(redirect).toString('base64url')}`,
      errorCallbackURL: '/error',
    };
    const response = await nonces.run(nonce, () => callLibrary(auth, caller, attemptPath, body));
    if (!response.ok) throw new Error(`The sign-in library refused to begin a single sign-on: ${response.code}.`);
    const url = new URL(response.body.url);
    url.searchParams.set('nonce', nonce);
    return { url: url.href, response };
  }

  /** Completes the attempt of a browser that the provider redirected back with this query. */
  async complete(auth: Auth, caller: Caller, search: string, admit: Admit): Promise<ArrivalOutcome> {
    await this.#prepare();
    if (this.#arriving >= maxArrivals) {
      throw new ApiError('unavailable', 'Too many people sign in at the moment. Try again in a few seconds.', {
        headers: { 'Retry-After': '5' },
      });
    }
    this.#arriving += 1;
    try {
      const arrival: Arrival = { admit, userId: null, isRefused: false };
      const call = arrivals.run(arrival, () => callLibrary(auth, caller, `${arrivalPath}${search}`));
      const response = await Promise.race([call, wait(arrivalTimeoutMs, null, { ref: false })]);
      if (response) return this.#outcomeOf(arrival, response);
      this.#log.warn({ component: 'single sign-on' }, 'the provider did not answer in time');
      return { error: 'single_sign_on_failed', response: null };
    } finally {
      this.#arriving -= 1;
    }
  }

  #outcomeOf({ userId, isRefused }: Arrival, response: LibraryResponse): ArrivalOutcome {
    if (isRefused) return { error: 'single_sign_on_refused', response };
    const { pathname, searchParams } = new URL(response.location ?? '/error', 'http://own.invalid');
    const to = readOwnPath(Buffer.from(searchParams.get('to') ?? '', 'base64url').toString());
    if (pathname === '/' && userId !== null && to !== null && !searchParams.has('error')) {
      return { userId, redirect: to, response };
    }
    const [error, description] = [searchParams.get('error'), searchParams.get('error_description')];
    if (error === accountDisabled) return { error: 'single_sign_on_refused', response };
    this.#log.warn({ error, description, component: 'single sign-on' }, 'a single sign-on failed');
    return { error: 'single_sign_on_failed', response };
  }
}
