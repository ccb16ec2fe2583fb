import { ApiError } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { wrongField } from '../library/refusal.ts';
import { verifyPassword } from '../password.ts';
import { findPassword } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { findSessionStart } from '../session-queries.ts';

const recentMs = 15 * 60_000;

/** The person of a session, and the session. */
type SessionHolder = Pick<Actor, 'userId' | 'credentialId'>;

/** Throws unless this is the person's password. A wrong password counts as a guess of the session. */
export async function requirePassword(
  { database, guesses }: IdentityServices,
  actor: SessionHolder,
  password: string,
): Promise<void> {
  const { hash } = await findPassword(database, actor.userId);
  await guesses.attemptInSession(actor.credentialId, async () => {
    if (hash === null || !(await verifyPassword(hash, password))) throw wrongField('password', 'is not your password');
  });
}

/**
 * Allows an action that a stolen session must not perform: with the person's password, or within 15 minutes of the
 * sign-in. Throws `recent_sign_in_required` (403).
 */
export async function requireRecentSignIn(
  identity: IdentityServices,
  actor: SessionHolder,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) return requirePassword(identity, actor, password);
  const startedAt = await findSessionStart(identity.database, actor.credentialId);
  if (startedAt !== null && Date.now() - startedAt.getTime() <= recentMs) return;
  throw new ApiError(
    'recent_sign_in_required',
    'You signed in more than 15 minutes ago. Send your password as "password", or sign in again.',
  );
}

/**
 * Allows an action that gives the organization away, with the password even right after the sign-in. A person without
 * a password, who signs in with a passkey or by single sign-on, needs a sign-in of the last 15 minutes. Throws
 * `recent_sign_in_required` (403).
 */
export async function requirePasswordOrRecentSignIn(
  identity: IdentityServices,
  actor: SessionHolder,
  password: string | undefined,
): Promise<void> {
  if (password === undefined && (await findPassword(identity.database, actor.userId)).hash !== null)
    throw new ApiError('recent_sign_in_required', 'This needs your password. Send it as "password".');
  await requireRecentSignIn(identity, actor, password);
}
