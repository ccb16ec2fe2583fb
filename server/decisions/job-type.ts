import Type from 'typebox';
import { enqueue } from '../platform/jobs/jobs.ts';
import type { Db } from '../platform/postgres/database.ts';

export type FollowPayload = { org_id: string; decision_id: string; user_id: string | null };

/** The job that applies a decision to existing findings, or releases them. */
export const followJobType = {
  name: 'follow-decision',
  schema: Type.Object({
    org_id: Type.String(),
    decision_id: Type.String(),
    user_id: Type.Union([Type.String(), Type.Null()]),
  }),
};

/** Enqueues the job that applies or releases a decision on existing findings. */
export async function enqueueFollowing(tx: Db, orgId: string, id: string, userId: string | null): Promise<void> {
  const payload: FollowPayload = { org_id: orgId, decision_id: id, user_id: userId };
  await enqueue(tx, followJobType, payload, { key: `follow-decision:${orgId}:${id}` });
}
