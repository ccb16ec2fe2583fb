import type { SignInFacts, SignInMethod } from '../organization/sign-in-policy.ts';
import type { Database, Db, Statement } from '../platform/postgres/database.ts';

export type SessionRow = {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  last_active_at: Date | null;
  expires_at: Date;
};

/** SQL for the end of a session, like `sessionEnd()`. */
const sessionEnd = `LEAST(expires_at, signed_in_at + interval '30 days')`;

/** Sets the active organization of a session. */
export async function updateActiveOrganization(tx: Db, sessionId: string, orgId: string): Promise<void> {
  await tx.query({ text: 'UPDATE sessions SET active_organization_id = $2 WHERE id = $1', values: [sessionId, orgId] });
}

/**
 * Records how the person of a new session signed in. A browser that is trusted after a code needs no new code: it
 * counts as a second factor.
 */
export async function updateSignInMethod(tx: Db, token: string, method: SignInMethod): Promise<void> {
  await tx.query({
    name: 'session_update_method',
    text: `UPDATE sessions SET sign_in_method = $2,
             second_factor = $2 <> 'password'
               OR coalesce((SELECT u.two_factor_enabled FROM users u WHERE u.id = sessions.user_id), false)
           WHERE token = $1`,
    values: [token, method],
  });
}

export type SignIn = SignInFacts & { signedInAt: Date };

/** Returns how and when the person of a session signed in; null when the session has ended. */
export async function findSignIn(db: Db, sessionId: string): Promise<SignIn | null> {
  const { rows } = await db.query<{ sign_in_method: SignInMethod | null; second_factor: boolean; signed_in_at: Date }>({
    name: 'session_find_sign_in',
    text: 'SELECT sign_in_method, second_factor, signed_in_at FROM sessions WHERE id = $1',
    values: [sessionId],
  });
  const [row] = rows;
  return row ? { method: row.sign_in_method, secondFactor: row.second_factor, signedInAt: row.signed_in_at } : null;
}

/** Records that a session continues another one, which the sign-in library has replaced. */
export async function continueSignIn(
  tx: Db,
  token: string,
  { method, secondFactor, signedInAt }: SignIn,
): Promise<void> {
  await tx.query({
    text: 'UPDATE sessions SET sign_in_method = $2, second_factor = $3, signed_in_at = $4 WHERE token = $1',
    values: [token, method, secondFactor, signedInAt],
  });
}

/** Records that a person no longer has a second factor: sessions that used it lose the mark. */
export async function forgetSecondFactor(tx: Db, userId: string): Promise<void> {
  await tx.query({
    text: `UPDATE sessions SET second_factor = false
           WHERE user_id = $1 AND sign_in_method IN ('password', 'code', 'recovery_code')`,
    values: [userId],
  });
}

/**
 * Lists a page of a person's sessions, newest first, with one more row when there is another page; with
 * `signedInFrom`, only those that started then or later.
 */
export function listSessions(
  userId: string,
  page: { limit: number; beforeId: string | null; signedInFrom?: Date | null },
): Statement {
  return {
    name: 'user_sessions_list',
    text: `SELECT id, ip_address, user_agent, created_at, last_active_at, ${sessionEnd} AS expires_at FROM sessions
           WHERE user_id = $1 AND ${sessionEnd} > now() AND ($2::text IS NULL OR id < $2)
             AND ($4::timestamptz IS NULL OR signed_in_at >= $4)
           ORDER BY id DESC LIMIT $3`,
    values: [userId, page.beforeId, page.limit + 1, page.signedInFrom ?? null],
  };
}

/** Returns when the person of a session signed in; null when the session has ended. */
export async function findSessionStart(database: Database, sessionId: string): Promise<Date | null> {
  const rows = await database.single<{ created_at: Date }>(null, {
    name: 'session_start_find',
    text: 'SELECT created_at FROM sessions WHERE id = $1',
    values: [sessionId],
  });
  return rows[0]?.created_at ?? null;
}

/** Ends a session by its token, in all organizations. Returns its person; undefined when there is no such session. */
export async function deleteSession(tx: Db, token: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'session_delete',
    text: 'DELETE FROM sessions WHERE token = $1',
    values: [token],
  });
  return rowCount === 1;
}

/** Returns the person of a session; undefined when there is no such session. */
export async function findSessionUser(tx: Db, token: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ user_id: string }>({
    name: 'session_find_user',
    text: 'SELECT user_id FROM sessions WHERE token = $1',
    values: [token],
  });
  return rows[0]?.user_id;
}

/** Ends one of a person's sessions. Returns false when there is no such session. */
export async function deleteSessionOf(tx: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'DELETE FROM sessions WHERE user_id = $1 AND id = $2',
    values: [userId, id],
  });
  return rowCount === 1;
}

/** Ends all of a person's sessions but one. Returns their ids. */
export async function deleteOtherSessions(tx: Db, userId: string, keptId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    text: 'DELETE FROM sessions WHERE user_id = $1 AND id <> $2 RETURNING id',
    values: [userId, keptId],
  });
  return rows.map(({ id }) => id);
}
