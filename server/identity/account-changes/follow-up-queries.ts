import type { AuditActor, PreparedEvent } from '../../organization/audit.ts';
import type { Role } from '../../organization/roles.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { withoutWaiting } from '../../platform/postgres/statement.ts';

/** The cause of an end of access, for the audit log. */
export type Cause = { actor: AuditActor; because: string };

/** Work that a change of a person's account leaves to an organization. */
export type FollowUp = {
  orgId: string;
  /** The id of the audit event. */
  id: string;
  userId: string;
  work: { event: PreparedEvent } | { revokeTokens: Cause } | { join: Role; event: PreparedEvent };
};

/** Returns whether a follow-up only records an event. */
export const isEvent = ({ work }: FollowUp): boolean => 'event' in work && !('join' in work);

/** Stores the follow-ups of a change in its transaction. */
export async function insertFollowUps(tx: Db, followUps: FollowUp[]): Promise<void> {
  await tx.query({
    name: 'account_follow_ups_insert',
    text: `INSERT INTO account_follow_ups (organization_id, id, user_id, work)
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])`,
    values: [
      followUps.map(({ orgId }) => orgId),
      followUps.map(({ id }) => id),
      followUps.map(({ userId }) => userId),
      followUps.map(({ work }) => JSON.stringify(work)),
    ],
  });
}

/** Lists follow-ups that the process of the change has not done within five seconds, oldest first. */
export async function listLeftFollowUps(
  database: Database,
  limit: number,
): Promise<Array<FollowUp & { happenedAt: Date }>> {
  return database.single(null, {
    name: 'account_follow_ups_left',
    // A time in the future was recorded before the clock was set back.
    text: `SELECT organization_id AS "orgId", id, user_id AS "userId", happened_at AS "happenedAt", work
           FROM account_follow_ups
           WHERE happened_at NOT BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp()
           ORDER BY happened_at, id LIMIT $1`,
    values: [limit],
  });
}

/** Deletes follow-ups of an organization that are done. */
export async function deleteFollowUps(database: Database, orgId: string, done: FollowUp[]): Promise<void> {
  // Events that come back after a crash are known by their ids; a revocation would end newer tokens.
  const mayComeBack = done.every(isEvent);
  await database.single(
    null,
    {
      name: 'account_follow_ups_delete',
      text: 'DELETE FROM account_follow_ups WHERE organization_id = $1 AND id = ANY($2::text[])',
      values: [orgId, done.map(({ id }) => id)],
    },
    mayComeBack ? [withoutWaiting] : [],
  );
}
