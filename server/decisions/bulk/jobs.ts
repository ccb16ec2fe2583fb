import { isInterruption } from '../../platform/interruption.ts';
import { enqueue, enqueueOnce, type JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { doNextBatch } from './advance-operation.ts';
import { operationJobType, operationKey } from './job-type.ts';
import { moveAssignments } from './move-assignments.ts';
import { listOperationsWithoutJob, purgeOperations, recordFailure } from './queries.ts';

/** A job works for this long and then lets other jobs run, so that an operation does not delay reports and mails. */
const sliceMs = 5_000;
const maxFailures = 5;

type Services = { database: Database };

const updateFindings: JobDefinition<Services, typeof operationJobType.schema> = {
  ...operationJobType,
  async run(payload, { database }) {
    const { org_id: orgId, operation_id: id } = payload;
    const end = performance.now() + sliceMs;
    try {
      while (await database.transaction(orgId, (tx) => doNextBatch(tx, orgId, id))) {
        if (performance.now() < end) continue;
        const key = operationKey(orgId, id);
        await database.transaction(orgId, (tx) => enqueue(tx, operationJobType, payload, { key }));
        return;
      }
    } catch (error) {
      if (isInterruption(error)) throw error;
      const failure = { maxFailures, error: 'An internal error; the operator finds it in the log of the worker.' };
      await database.transaction(orgId, (tx) => recordFailure(tx, orgId, id, failure));
      throw error;
    }
  },
};

/** Enqueues a job for every unfinished operation without one. Runs on every node; each operation gets one job. */
async function takeUpOperations({ database }: Services): Promise<void> {
  for (const { orgId, id } of await database.transaction(null, listOperationsWithoutJob)) {
    const payload = { org_id: orgId, operation_id: id };
    await database.transaction(orgId, (tx) => enqueueOnce(tx, operationJobType, payload, operationKey(orgId, id)));
  }
}

async function removeOldOperations({ database }: Services): Promise<void> {
  while (await database.transaction(null, purgeOperations));
}

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const bulkJobs: JobDefinition<Services, any>[] = [updateFindings, moveAssignments];

export const bulkTicks = [
  { name: 'Taking up bulk operations without a job', everyMs: 10_000, run: takeUpOperations },
  { name: 'Removing what can no longer be undone', everyMs: 10 * 60_000, run: removeOldOperations },
];
