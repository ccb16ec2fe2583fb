import type { Db } from '../platform/postgres/database.ts';
import { isSessionCookie, tokenOfCookie } from './library/session.ts';
import { continueSignIn, type SignIn } from './session-queries.ts';

/**
 * Copies the sign-in method and time to the new session, if the sign-in library replaced the old one. Read `signIn`
 * before calling the library.
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
