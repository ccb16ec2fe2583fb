import type { FastifyRequest } from 'fastify';
import { signInPolicyOf } from '../../organization/policy-queries.ts';
import {
  addressRefusal,
  type SignInFacts,
  type SignInMethod,
  type SignInPolicy,
  sessionRefusal,
} from '../../organization/sign-in-policy.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { listReachableMemberships, type Membership } from '../queries.ts';
import { type Auth, ownOrigins } from './auth.ts';
import { acceptFormerCookies } from './former-cookies.ts';

export type SessionBearer = {
  sessionId: string;
  userId: string;
  orgId: string;
  role: string;
  policy: SignInPolicy;
  facts: SignInFacts;
  /** Whether the password was generated, so that the person has to choose another one first. */
  hasInitialPassword: boolean;
};

/** A session ends this long after the sign-in, however active it is. */
const maxSessionDays = 30;
const maxSessionMs = maxSessionDays * 86_400_000;

/** Returns when a session ends: at its expiry, which activity extends, or 30 days after the sign-in. */
export const sessionEnd = (expiresAt: Date, signedInAt: Date): Date =>
  new Date(Math.min(expiresAt.getTime(), signedInAt.getTime() + maxSessionMs));

const hasEnded = (expiresAt: Date, signedInAt: Date) => sessionEnd(expiresAt, signedInAt).getTime() <= Date.now();

const sessionCookies = ['__Host-assay.session_token', 'assay.session_token'];
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a cookie, `name=value`, is the session cookie. */
export const isSessionCookie = (cookie: string): boolean => sessionCookies.includes(cookie.split('=', 1)[0]!);

/**
 * Returns the session cookie as sent, `name=value`; undefined without one. The library accepts only the name for its
 * scheme. The cookie that only this host can set comes first, so that no other overrides it.
 */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const cookies = request.headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [];
  for (const name of sessionCookies) {
    const cookie = cookies.find((text) => text.startsWith(`${name}=`));
    if (cookie !== undefined) return cookie;
  }
  return undefined;
}

const anyCookieName = /^(?:__Host-)?assay\./;

/** Returns whether a request sends any sign-in cookie. */
export const sendsOurCookies = (request: FastifyRequest): boolean =>
  request.headers.cookie?.split(';').some((cookie) => anyCookieName.test(cookie.trim())) ?? false;

/** Returns the session's token from the cookie, where a signature follows it. */
export const tokenOfCookie = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1).split('.', 1)[0]!;

/**
 * Allows changes by a session only from a page of this server, whether or not the browser supports SameSite. Throws
 * `forbidden` (403) for another origin, or none.
 */
export function checkOrigin(request: FastifyRequest, baseUrl: string): void {
  if (safeMethods.has(request.method)) return;
  const origin = request.headers.origin;
  const accepted = [new URL(baseUrl).origin, ...ownOrigins(request.headers.host)];
  if (origin !== undefined && accepted.includes(origin)) return;
  throw new ApiError('forbidden', 'A session can only be used from the console. Use an API token from anywhere else.');
}

async function findSession(auth: Auth, cookie: string) {
  try {
    const headers = new Headers({ cookie: acceptFormerCookies(cookie, auth.options.secrets) });
    return await auth.api.getSession({ headers, query: { disableRefresh: true } });
  } catch (cause) {
    // This fails only when the database does: an unknown or expired session is null.
    throw new ApiError('unavailable', 'The session cannot be checked at the moment. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause,
    });
  }
}

/** The person of a session, who may not belong to any organization. */
export type SessionPerson = { userId: string; sessionId: string; signedInAt: Date; hasInitialPassword: boolean };

/**
 * Returns the person of a request's session, even without an organization; undefined without a session. Before the
 * session changes anything, `requireOwnPassword` must allow it.
 */
export async function findSessionPerson(auth: Auth, request: FastifyRequest): Promise<SessionPerson | undefined> {
  const cookie = readSessionCookie(request);
  const found = cookie === undefined ? null : await findSession(auth, cookie);
  if (!found) return undefined;
  const { user, session } = found;
  const signedInAt = session.signedInAt ?? session.createdAt;
  if (hasEnded(session.expiresAt, signedInAt)) return undefined;
  return {
    userId: user.id,
    sessionId: session.id,
    signedInAt,
    hasInitialPassword: Boolean(user.initialPasswordUntil),
  };
}

/**
 * Returns whether a session that started at this time has access to the organization: an administrator may have ended
 * earlier ones.
 */
export const acceptsSessionOf = ({ sessions_from: from }: Membership, signedInAt: Date): boolean =>
  from === null || signedInAt >= from;

/**
 * Returns the person of a session cookie, in the organization that they chose, else in the first that the session has
 * access to. Undefined without a session. Throws `forbidden` when they belong to no organization.
 */
export async function findSessionBearer(
  auth: Auth,
  database: Database,
  cookie: string,
): Promise<SessionBearer | undefined> {
  const found = await findSession(auth, cookie);
  if (!found) return undefined;
  const { user, session } = found;
  const signedInAt = session.signedInAt ?? session.createdAt;
  if (hasEnded(session.expiresAt, signedInAt)) return undefined;
  const { memberships, missing } = await listReachableMemberships(database, user.id);
  const [first] = memberships;
  const { activeOrganizationId } = session;
  const chosen = memberships.find(({ org_id }) => org_id === activeOrganizationId);
  // The organization may be in a cell that is away.
  if (missing !== undefined && !chosen && (activeOrganizationId || !first)) throw missing;
  if (!first)
    throw new ApiError('forbidden', 'You do not belong to an organization. Ask an administrator to invite you.');
  const active = chosen ?? memberships.find((membership) => acceptsSessionOf(membership, signedInAt));
  // An administrator ended the member's sessions: the person signs in again, instead of silently entering another
  // organization.
  if (!active || !acceptsSessionOf(active, signedInAt)) return undefined;
  return {
    sessionId: session.id,
    userId: user.id,
    orgId: active.org_id,
    role: active.role,
    policy: signInPolicyOf(active.sign_in),
    facts: {
      method: (session.signInMethod as SignInMethod | null) ?? null,
      secondFactor: session.secondFactor === true,
    },
    hasInitialPassword: Boolean(user.initialPasswordUntil),
  };
}

const passwordChangeRequired = () =>
  new ApiError(
    'password_change_required',
    'Your password was generated. Choose your own password first (PUT /profile/password).',
  );

/** Throws `password_change_required` for a session with a generated password, which can do nothing else. */
export function requireOwnPassword({ hasInitialPassword }: { hasInitialPassword: boolean }): void {
  if (hasInitialPassword) throw passwordChangeRequired();
}

/** Returns why the organization refuses all requests of a session; null when it accepts them. */
export function sessionBearerRefusal(
  { hasInitialPassword, policy, facts }: SessionBearer,
  address: string,
): ApiError | null {
  if (hasInitialPassword) return passwordChangeRequired();
  return addressRefusal(policy, address) ?? sessionRefusal(policy, facts);
}
