import type { Db } from '../../platform/postgres/database.ts';

export type MemberAccess = {
  /**
   * Whether the account has access to the organization at all: it is neither disabled nor an unverified account of
   * another organization.
   */
  reaches: boolean;
  /** Sessions from before this time have no access to the organization. */
  sessions_from: Date | null;
};

/** Returns a member's access to the organization; undefined when there is no such member. */
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
 * Ends the access of all current sessions of a member to the organization. Returns the time from which sessions have
 * access. That is the next millisecond: sign-in times are compared by the millisecond, so that a sign-in in the
 * current one loses access too.
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
