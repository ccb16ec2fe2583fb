import type { Db } from '../platform/postgres/database.ts';
import { isSessionCookie, tokenOfCookie } from './library/session.ts';
import { continueSignIn, type SignIn } from './session-queries.ts';

/**
 * Carries over how and when the person signed in to the session with which the sign-in library replaced theirs, if it
 * did. Read `signIn` before the library is called.
 */
export async function continueSession(
  tx: Db,
  signIn: SignIn | null,
  { cookies }: { cookies: string[] },
): Promise<void> {
  const cookie = cookies.find(isSessionCookie);
  const token = cookie && tokenOfCookie(cookie.split(';', 1)[0]!);
  if (token && signIn) await continueSignIn(tx, token, signIn);
}
