import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint, getSessionFromCtx, isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Pool } from 'pg';
import { newId } from '../../platform/id.ts';
import type { Log } from '../../platform/log.ts';
import { cookieName } from '../cookie-name.ts';
import { passkeyPlugin } from '../passkeys/passkey-plugin.ts';
import { hashPassword, passwordLength, verifyPassword } from '../password.ts';
import { storeBackupCodes } from '../two-factor/recovery-codes.ts';
import { versionedSecrets } from '../two-factor/reseal-factors.ts';
import type { LibraryPart } from './single-sign-on-plugin.ts';

/**
 * Lets the sign-in library start a session for a person whom we have identified, since the library doesn't support
 * several accounts of an email address. Only our own code can call these endpoints: `mountSignIn` serves none of the
 * library's.
 */
const sessionStart = {
  id: 'session-start',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const { userId } = ctx.body as unknown as { userId: string };
      const { internalAdapter } = ctx.context;
      const user = await internalAdapter.findUserById(userId);
      if (!user) throw new Error(`There is no user ${userId}.`);
      const session = await internalAdapter.createSession(userId);
      await setSessionCookie(ctx, { session, user });
      return ctx.json({ user });
    }),
    /**
     * Starts a session after a password. The library's second factor asks for its code on this path, which none of
     * our plugins uses.
     */
    startPasswordSession: createAuthEndpoint('/sign-in/username', { method: 'POST' }, async (ctx) => {
      const { userId, rememberMe } = ctx.body as unknown as { userId: string; rememberMe: boolean };
      const { internalAdapter } = ctx.context;
      const user = await internalAdapter.findUserById(userId);
      if (!user) throw new Error(`There is no user ${userId}.`);
      const session = await internalAdapter.createSession(userId, !rememberMe);
      await setSessionCookie(ctx, { session, user }, !rememberMe);
      return ctx.json({ user });
    }),
    /** Replaces the session of the request with a new one. */
    renewSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const found = await getSessionFromCtx(ctx);
      if (!found) throw new APIError('UNAUTHORIZED');
      const { internalAdapter } = ctx.context;
      const session = await internalAdapter.createSession(found.user.id, false, found.session);
      await setSessionCookie(ctx, { session, user: found.user });
      await internalAdapter.deleteSession(found.session.token);
      return ctx.json({});
    }),
  },
} satisfies BetterAuthPlugin;

/**
 * The current call of the library, with the error that made it fail: the library itself responds with an empty 500.
 */
export const libraryCall = new AsyncLocalStorage<{ failure?: unknown }>();

export type AuthOptions = {
  /** A pool that runs as assay_app. */
  pool: Pool;
  /** The key that signs session cookies: at least 32 characters, the same on every node. */
  secret: string;
  /**
   * The previous key, whose signatures and ciphertexts are accepted while the secret key of the installation changes.
   */
  formerSecret?: string | null;
  /** The URL of the server for browsers, such as `https://assay.example.org`. */
  baseUrl: string;
  log: Log;
  singleSignOn?: LibraryPart | null;
};

/**
 * The header in which `callLibrary` passes the client's address. It is overwritten on every request, so that clients
 * can't forge it.
 */
export const clientAddressHeader = 'x-assay-client-address';

/** The library's error code when it refuses a person whom the operator disabled. */
export const accountDisabled = 'ACCOUNT_DISABLED';

/** The cookie of a browser that has been sent to the single sign-on provider. */
export const attemptCookie = 'single_sign_on';

function newIdOf(model: string): string {
  if (model === 'user') return newId('usr');
  if (model === 'passkey') return newId('psk');
  return model === 'session' ? newId('ses') : randomUUID();
}

/** Refuses new sessions for a person whom the operator disabled. */
async function requireEnabled(pool: Pool, userId: string): Promise<void> {
  const text = 'SELECT FROM users WHERE id = $1 AND disabled_at IS NOT NULL';
  const { rowCount } = await pool.query({ text, values: [userId] });
  if (rowCount !== 0) throw new APIError('FORBIDDEN', { code: accountDisabled });
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/**
 * Options of better-auth for sign-in and sessions on the tables of 0002_organization.sql and 0003_identity.sql.
 * Accounts are created by invitation or on the command line, so sign-up is off. The options are separate, so that a
 * test can compare them with the tables.
 */
export function authOptions({ pool, secret, formerSecret = null, baseUrl, log, singleSignOn = null }: AuthOptions) {
  const secrets = formerSecret === null ? [secret] : [secret, formerSecret];
  const secure = baseUrl.startsWith('https:');
  return {
    appName: 'Assay',
    database: pool,
    secrets: versionedSecrets(secrets),
    // The key for ciphertexts without a version: while a former key exists, they are its own.
    secret: secrets.at(-1)!,
    baseURL: new URL(baseUrl).origin,
    basePath: '/auth',
    telemetry: { enabled: false },
    trustedOrigins: async (request?: Request) =>
      request ? [...ownOrigins(request.headers.get('host')), ...(singleSignOn?.trustedOrigins(request) ?? [])] : [],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }: { hash: string; password: string }) => verifyPassword(hash, password),
      },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: {
        initialPasswordUntil: {
          type: 'date' as const,
          required: false,
          input: false,
          fieldName: 'initial_password_until',
        },
      },
    },
    session: {
      modelName: 'sessions',
      // `requireRecentSignIn` checks the time or the password instead.
      freshAge: 0,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      additionalFields: {
        activeOrganizationId: {
          type: 'string' as const,
          required: false,
          input: false,
          fieldName: 'active_organization_id',
        },
        signInMethod: { type: 'string' as const, required: false, input: false, fieldName: 'sign_in_method' },
        secondFactor: { type: 'boolean' as const, required: false, input: false, fieldName: 'second_factor' },
        signedInAt: { type: 'date' as const, required: false, input: false, fieldName: 'signed_in_at' },
      },
    },
    account: {
      modelName: 'accounts',
      updateAccountOnSignIn: false,
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
    },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...times } },
    // The provider's tokens are useless after the sign-in, and would be worth stealing.
    databaseHooks: {
      account: { create: { before: async (account: object) => ({ data: { ...account, ...noTokens } }) } },
      // Every sign-in method starts a session.
      session: { create: { before: ({ userId }: { userId: string }) => requireEnabled(pool, userId) } },
    },
    plugins: [
      sessionStart,
      passkeyPlugin,
      ...(singleSignOn ? [singleSignOn.plugin] : []),
      twoFactor({
        issuer: 'Assay',
        backupCodeOptions: { storeBackupCodes },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factors',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
    // An error that is not a refusal, such as a database that is unavailable or full: the library would return an
    // empty 500.
    onAPIError: {
      onError: (error: unknown) => {
        const call = libraryCall.getStore();
        if (call && !isAPIError(error)) call.failure = error;
      },
    },
    // `GuessLimits` limits attempts instead, also by account.
    rateLimit: { enabled: false },
    advanced: {
      // The library's own prefix for https is `__Secure-`, which pages of sibling domains can set.
      cookiePrefix: cookieName(baseUrl, '').slice(0, -1),
      useSecureCookies: false,
      // `Lax`: the browser returns from another site.
      cookies: {
        state: { name: cookieName(baseUrl, attemptCookie), attributes: { sameSite: 'lax' as const, maxAge: 600 } },
      },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict' as const, secure },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: {
        generateId: ({ model }: { model: string }) => newIdOf(model),
      },
    },
    logger: {
      level: 'error' as const,
      log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) =>
        log[level]({ component: 'sign-in' }, message),
    },
  };
}

/**
 * Returns the possible origins of a page from this server, according to the request's `Host`, which is one of ours.
 */
export function ownOrigins(host: string | null | undefined): string[] {
  return host ? [`http://${host}`, `https://${host}`] : [];
}

export const createAuth = (options: AuthOptions) => betterAuth(authOptions(options));

export type Auth = ReturnType<typeof createAuth>;
