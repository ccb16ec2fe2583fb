import type { Db } from '../platform/postgres/database.ts';
import type { EndsWhen } from './end-conditions.ts';
import type { Origin, RepositoryEntry } from './origin.ts';
import { type ActiveDecision, type DecisionRow, jsonOrNull, nextMade } from './queries.ts';
import type { Scope } from './scope.ts';

/** Counts the open requests of an organization; of one person with `userId`. */
export async function countRequests(tx: Db, orgId: string, userId: string | null): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'decision_requests_count',
    text: `SELECT count(*)::integer AS count FROM decisions
           WHERE org_id = $1 AND status = 'requested' AND origin = 'person' AND ($2::text IS NULL OR requested_by = $2)`,
    values: [orgId, userId],
  });
  return rows[0]!.count;
}

export type RequestChange = {
  reason: string;
  until: Date | null;
  endsWhen: EndsWhen | null;
  scope: Scope;
  rank: number;
};

/** Changes a person's own open request; approvals of the former version no longer count. Returns whether there is one. */
export async function updateRequest(
  tx: Db,
  orgId: string,
  { id, userId, latest }: { id: string; userId: string; latest: Date },
  { reason, until, endsWhen, scope, rank }: RequestChange,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'decision_request_update',
    text: `UPDATE decisions SET reason = $4, until = $5, ends_when = $6, scope = $7, rank = $8, version = version + 1,
             expires_at = LEAST($9::timestamptz, $5)
           WHERE org_id = $1 AND id = $2 AND requested_by = $3 AND status = 'requested' AND expires_at > clock_timestamp()`,
    values: [orgId, id, userId, reason, until, jsonOrNull(endsWhen), JSON.stringify(scope), rank, latest],
  });
  return rowCount === 1;
}

type Approval = { id: string; version: number; userId: string; answer: string | null; belowSeverity: number | null };

/** Activates another person's open request if it still has this version. Returns whether it did. */
export async function approveRequest(tx: Db, orgId: string, approval: Approval): Promise<boolean> {
  const { id, version, userId, answer, belowSeverity } = approval;
  const { rowCount } = await tx.query({
    name: 'decision_request_approve',
    text: `UPDATE decisions SET status = 'active', made = ${nextMade}, expires_at = NULL, approved_by = $4, approved_at = clock_timestamp(),
             answer = $5, below_severity = $6, version = version + 1
           WHERE org_id = $1 AND id = $2 AND version = $3 AND status = 'requested' AND requested_by IS DISTINCT FROM $4
             AND expires_at > clock_timestamp()`,
    values: [orgId, id, version, userId, answer, belowSeverity],
  });
  return rowCount === 1;
}

type Refusal = { id: string; status: 'rejected' | 'withdrawn'; userId: string; version: number; answer: string | null };

/** Ends an open request without effect, if it still has this version. Returns whether it does. */
export async function refuseRequest(tx: Db, orgId: string, refusal: Refusal): Promise<boolean> {
  const { id, status, userId, version, answer } = refusal;
  const { rowCount } = await tx.query({
    name: 'decision_request_refuse',
    text: `UPDATE decisions SET status = $3, expires_at = NULL, ended_at = clock_timestamp(), ended_by = $4, answer = $6,
             version = version + 1
           WHERE org_id = $1 AND id = $2 AND version = $5 AND status = 'requested'`,
    values: [orgId, id, status, userId, version, answer],
  });
  return rowCount === 1;
}

/** Ends a request that nobody approved in time. Returns whether it was open. */
export async function expireRequest(tx: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'decision_request_expire',
    text: `UPDATE decisions SET status = 'expired', expires_at = NULL, ended_at = clock_timestamp(), version = version + 1
           WHERE org_id = $1 AND id = $2 AND status = 'requested' AND expires_at <= clock_timestamp()`,
    values: [orgId, id],
  });
  return rowCount === 1;
}

/** Returns whether the address of a person is that of the author or committer of an entry in a repository. */
export async function wroteEntry(
  tx: Db,
  userId: string,
  { author, committer_email }: RepositoryEntry,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'decision_entry_is_of_person',
    text: 'SELECT FROM users WHERE id = $1 AND lower(email) = ANY($2::text[])',
    values: [userId, [author?.email, committer_email].flatMap((email) => email?.toLowerCase() ?? [])],
  });
  return rowCount === 1;
}

export type AnnouncedRequest = {
  id: string;
  outcome: ActiveDecision['outcome'];
  /** The person's name; null when the account is gone, or a repository asks. */
  requester: string | null;
  origin: Origin;
};

/** Marks the open requests that were not yet announced to approvers, and returns them. */
export async function markAnnounced(tx: Db, orgId: string): Promise<Array<{ id: string; requesterId: string | null }>> {
  const { rows } = await tx.query<{ id: string; requesterId: string | null }>({
    name: 'decision_requests_announce',
    text: `UPDATE decisions SET announced = true WHERE org_id = $1 AND status = 'requested' AND NOT announced
           RETURNING id, requested_by AS "requesterId"`,
    values: [orgId],
  });
  return rows;
}

/** Lists those of these requests that are open, the oldest first. */
export async function listOpenRequests(db: Db, orgId: string, ids: string[]): Promise<AnnouncedRequest[]> {
  const { rows } = await db.query<AnnouncedRequest>({
    name: 'decision_requests_list_open',
    text: `SELECT d.id, d.outcome, d.origin, u.name AS requester
           FROM decisions d LEFT JOIN users u ON u.id = d.requested_by
           WHERE d.org_id = $1 AND d.id = ANY($2::text[]) AND d.status = 'requested' AND d.expires_at > clock_timestamp()
           ORDER BY d.id`,
    values: [orgId, ids],
  });
  return rows;
}

/** The state of a decision in event streams, spelled as in the API. */
export type DecisionState = Pick<DecisionRow, 'id' | 'status' | 'version' | 'origin' | 'outcome'>;

/**
 * Lists requests and decisions that changed since a time, newest first. Decisions that updates of findings made are
 * left out: streams have the findings.
 */
export async function listRecentDecisions(
  db: Db,
  orgId: string,
  since: string,
  limit: number,
): Promise<DecisionState[]> {
  const { rows } = await db.query<DecisionState>({
    name: 'decisions_list_recent',
    text: `SELECT id, status, version, origin, outcome FROM decisions
           WHERE org_id = $1 AND changed_at >= $2
             AND (finding_id IS NULL OR status IN ('requested', 'rejected') OR approved_by IS NOT NULL OR version > 1)
           ORDER BY changed_at DESC LIMIT $3`,
    values: [orgId, since, limit],
  });
  return rows;
}
