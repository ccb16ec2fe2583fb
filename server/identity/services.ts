import { hkdfSync } from 'node:crypto';
import type { FailedAuthentications } from '../platform/http/failed-authentications.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Keyring } from '../platform/sealed.ts';
import { FailedSignIns, type LoggedAccounts } from './failed-sign-ins/failed-sign-ins.ts';
import { GuessLimits } from './guess-limits/guess-limits.ts';
import { type Auth, createAuth } from './library/auth.ts';
import { SingleSignOn, type SingleSignOnSettings } from './library/single-sign-on.ts';

/** The services for the endpoints of the sign-in and the profile. */
export type IdentityServices = {
  auth: Auth;
  database: Database;
  guesses: GuessLimits;
  failedAuthentications: FailedAuthentications;
  failedSignIns: FailedSignIns;
  /** The URL of the server for browsers. */
  baseUrl: string;
  keyring: Keyring;
  /** Null when it is not configured. */
  singleSignOn: SingleSignOn | null;
  /** Whether mails are delivered: without an SMTP server they become files. */
  sendsMail: boolean;
};

export type IdentityOptions = {
  database: Database;
  /** The key that signs session cookies: at least 32 characters, the same on every node. */
  secret: string;
  /** The previous key, while the secret key of the installation changes. */
  formerSecret?: string | null;
  baseUrl: string;
  sendsMail: boolean;
  keyring: Keyring;
  singleSignOn: SingleSignOnSettings | null;
  failedAuthentications: FailedAuthentications;
  log: Log;
  /** The form in which accounts appear in the log; hashed by default. */
  loggedAccounts?: LoggedAccounts;
  metrics?: Metrics;
};

/** Derives the sign-in library's key from a secret key of the installation. */
export const signInSecret = (secretKey: string): string =>
  Buffer.from(hkdfSync('sha256', secretKey, 'assay', 'sessions', 32)).toString('base64');

export function createIdentity({
  secret,
  formerSecret = null,
  log,
  metrics,
  loggedAccounts = 'hashed',
  ...options
}: IdentityOptions): IdentityServices {
  const { database, baseUrl } = options;
  const singleSignOn = options.singleSignOn ? new SingleSignOn(options.singleSignOn, baseUrl, log) : null;
  const auth = createAuth({ pool: database.pool, secret, formerSecret, baseUrl, log, singleSignOn });
  const failedSignIns = new FailedSignIns({ database, log, loggedAccounts, key: secret, ...(metrics && { metrics }) });
  return { ...options, auth, failedSignIns, singleSignOn, guesses: new GuessLimits(database) };
}
