import type { Db } from '../../platform/postgres/database.ts';

export type MemberAccess = {
  /** Whether the account reaches the organization at all: neither disabled nor an unverified one of another one. */
  reaches: boolean;
  /** Sessions from before this time do not reach the organization. */
  sessions_from: Date | null;
};

/** Returns how a member reaches the organization; undefined when there is no such member. */
export async function findMemberAccess(tx: Db, orgId: string, userId: string): Promise<MemberAccess | undefined> {
  const { rows } = await tx.query<MemberAccess>({
    name: 'member_access_find',
    text: `SELECT m.sessions_from,
                  u.disabled_at IS NULL AND (u.email_verified OR u.organization_id IS NOT DISTINCT FROM $1) AS reaches
           FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND m.user_id = $2`,
    values: [orgId, userId],
  });
  return rows[0];
}

/**
 * Keeps all sessions that a member has now from the organization, and returns from when sessions reach it. That is the
 * next millisecond: times of sign-ins are compared by the millisecond, so that a sign-in of this one ends too.
 */
export async function updateSessionsFrom(tx: Db, orgId: string, userId: string): Promise<Date> {
  const { rows } = await tx.query<{ sessions_from: Date }>({
    name: 'member_update_sessions_from',
    text: `UPDATE members SET sessions_from = date_trunc('milliseconds', statement_timestamp()) + interval '1 millisecond'
           WHERE org_id = $1 AND user_id = $2 RETURNING sessions_from`,
    values: [orgId, userId],
  });
  return rows[0]!.sessions_from;
}
