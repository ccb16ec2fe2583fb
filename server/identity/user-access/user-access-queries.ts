import type { Database, Db } from '../../platform/postgres/database.ts';
import { deleteTrustedBrowsers } from '../password-queries.ts';

export type ListedUser = {
  id: string;
  email: string;
  name: string;
  two_factor_enabled: boolean;
  disabled_at: Date | null;
  sessions: number;
  organizations: { id: string; name: string; role: string }[];
};

/** Lists all people by address; for the operator. */
export function listUsers(database: Database): Promise<ListedUser[]> {
  return database.single<ListedUser>(null, {
    text: `SELECT u.id, u.email, u.name, coalesce(u.two_factor_enabled, false) AS two_factor_enabled, u.disabled_at,
                  (SELECT count(*)::integer FROM sessions s WHERE s.user_id = u.id AND s.expires_at > now()) AS sessions,
                  coalesce((SELECT json_agg(json_build_object('id', o.org_id, 'name', o.name, 'role', o.role))
                            FROM memberships_of_user(u.id) o), '[]') AS organizations
           FROM users u ORDER BY u.email, u.id`,
    values: [],
  });
}

/** Returns false when the person was already disabled, or enabled. */
export async function updateDisabled(tx: Db, userId: string, isDisabled: boolean): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE users SET disabled_at = $3, updated_at = now() WHERE id = $1 AND (disabled_at IS NOT NULL) <> $2`,
    values: [userId, isDisabled, isDisabled ? new Date() : null],
  });
  return rowCount === 1;
}

/** Ends all sessions of a person and the trust in their browsers. Returns the number of ended sessions. */
export async function deleteSessionsOf(tx: Db, userId: string): Promise<number> {
  const { rowCount } = await tx.query({ text: 'DELETE FROM sessions WHERE user_id = $1', values: [userId] });
  await deleteTrustedBrowsers(tx, userId);
  return rowCount ?? 0;
}
