import Type from 'typebox';
import { enqueue, enqueueOnce, type JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { MergeDecisions } from '../record-detections.ts';
import { recompute } from './recompute.ts';
import { listOrganizationsToRecompute } from './recompute-queries.ts';

type Services = { database: Database };

/** A job works for this long and then lets other jobs run. */
const sliceMs = 5_000;
const pauseMs = 500;

const schema = Type.Object({ org_id: Type.String() });
/** At most one job per organization waits. The migrations contain the key too. */
const keyOf = (orgId: string) => `recompute-findings:${orgId}`;

const recomputeJobType = { name: 'recompute-findings', schema };

const recomputeFindings = (decisions?: MergeDecisions): JobDefinition<Services, typeof schema> => ({
  ...recomputeJobType,
  async run(payload, { database }) {
    const orgId = payload.org_id;
    const end = performance.now() + sliceMs;
    let progress = await recompute(database, orgId, decisions);
    while (progress === 'more' && performance.now() < end) progress = await recompute(database, orgId, decisions);
    if (progress === 'done') return;
    const options = { key: keyOf(orgId), delayMs: progress === 'later' ? pauseMs : 0 };
    await database.transaction(orgId, (tx) => enqueue(tx, recomputeJobType, payload, options));
  },
});

/** Enqueues a job for each organization with stale findings. Runs on every node; each organization gets one job. */
async function takeUpRecomputations({ database }: Services): Promise<void> {
  for (const orgId of await database.transaction(null, listOrganizationsToRecompute))
    await database.transaction(orgId, (tx) => enqueueOnce(tx, recomputeJobType, { org_id: orgId }, keyOf(orgId)));
}

/** Recomputation changes facts that end decisions: `decisions` are applied with it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const policyJobs = (decisions?: MergeDecisions): JobDefinition<Services, any>[] => [
  recomputeFindings(decisions),
];

export const policyTicks = [{ name: 'Recomputing the urgency of findings', everyMs: 5_000, run: takeUpRecomputations }];
