import { inEachCell } from '../../platform/postgres/cells/cell-database.ts';
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
export async function listUsers(database: Database): Promise<ListedUser[]> {
  const users = await database.single<Omit<ListedUser, 'organizations'>>(null, {
    text: `SELECT u.id, u.email, u.name, coalesce(u.two_factor_enabled, false) AS two_factor_enabled, u.disabled_at,
                  (SELECT count(*)::integer FROM sessions s WHERE s.user_id = u.id AND s.expires_at > now()) AS sessions
           FROM users u ORDER BY u.email, u.id`,
  });
  const members = await inEachCell(database, (cell) =>
    cell.single<Member>(null, {
      text: `SELECT u.id AS "userId", o.org_id AS id, o.name, o.role
             FROM users u, memberships_of_user(u.id) o ORDER BY u.id, o.joined_at, o.org_id`,
    }),
  );
  const byUser = Map.groupBy(members.flat(), ({ userId }) => userId);
  return users.map((user) => ({
    ...user,
    organizations: (byUser.get(user.id) ?? []).map(({ id, name, role }) => ({ id, name, role })),
  }));
}

type Member = ListedUser['organizations'][number] & { userId: string };

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
