import { type TraceContext, traceContext } from '@assay/scanner/platform/tracing.ts';
import type { Static, TSchema } from 'typebox';
import type { Db } from '../postgres/database.ts';

/**
 * Background work. `run` gets the payload that `schema` describes and the services of the worker. It must be safe to
 * run twice, since another worker gets the job of a dead one. Errors are logged, and the job is retried with growing
 * pauses, up to `maxAttempts` times (25 by default: three days). An interruption (platform/interruption.ts) is not a
 * failure: it costs no attempt, and the job continues as soon as it can.
 */
export type JobDefinition<Services, Payload extends TSchema = TSchema> = {
  name: string;
  schema: Payload;
  maxAttempts?: number;
  run(payload: Static<Payload>, services: Services): Promise<void>;
};

/** The key of a payload under which the trace is stored that the job continues. */
const traceMember = 'trace_context';

/** Returns a payload as JSON. While requests are traced, it includes the trace for the job to continue. */
function payloadText(payload: unknown): string {
  const context = traceContext();
  const isTraced = context.traceparent !== undefined && typeof payload === 'object';
  return JSON.stringify(isTraced ? { ...payload, [traceMember]: context } : payload);
}

/** Separates the payload of a job from the trace that it continues. */
export function withoutTrace(payload: unknown): { payload: unknown; parent: TraceContext | undefined } {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, traceMember))
    return { payload, parent: undefined };
  const { [traceMember]: parent, ...own } = payload as Record<string, unknown>;
  return { payload: own, parent: parent as TraceContext };
}

/**
 * Enqueues a job, which runs once the caller's transaction has committed. With `key`, it replaces a waiting job with
 * that key.
 */
export async function enqueue<Payload extends TSchema>(
  tx: Db,
  job: Pick<JobDefinition<never, Payload>, 'name' | 'maxAttempts'>,
  payload: Static<Payload>,
  options: { key?: string; delayMs?: number } = {},
): Promise<void> {
  await tx.query({
    name: 'job_add',
    text: `SELECT graphile_worker.add_job($1, $2::json, job_key => $3, max_attempts => $4,
             run_at => clock_timestamp() + $5 * interval '1 millisecond')`,
    values: [job.name, payloadText(payload), options.key ?? null, job.maxAttempts ?? 25, options.delayMs ?? 0],
  });
}

/**
 * Enqueues a job unless one with this key is running or waiting; a job that is delayed after a failure is woken. Safe
 * to call at any time, from several nodes at once.
 */
export async function enqueueOnce<Payload extends TSchema>(
  tx: Db,
  job: Pick<JobDefinition<never, Payload>, 'name' | 'maxAttempts'>,
  payload: Static<Payload>,
  key: string,
): Promise<void> {
  // A job that has used up its attempts would block the new one.
  await tx.query({
    name: 'job_delete_finished',
    text: `DELETE FROM graphile_worker._private_jobs WHERE key = $1 AND locked_at IS NULL AND attempts >= max_attempts`,
    values: [key],
  });
  await wakeJobs(tx, [key]);
  await tx.query({
    name: 'job_add_once',
    text: `SELECT graphile_worker.add_job($1, $2::json, job_key => $3, max_attempts => $4, job_key_mode => 'unsafe_dedupe')`,
    values: [job.name, payloadText(payload), key, job.maxAttempts ?? 25],
  });
}

/** Lets the waiting jobs with these keys run as soon as the caller's transaction has committed, before all others. */
export async function wakeJobs(tx: Db, keys: string[]): Promise<void> {
  await tx.query({
    name: 'jobs_wake',
    text: `UPDATE graphile_worker._private_jobs SET run_at = least(run_at, clock_timestamp()), priority = -1
           WHERE key = ANY($1::text[]) AND locked_at IS NULL AND (run_at > clock_timestamp() OR priority >= 0)
           RETURNING pg_notify('jobs:insert', '{"count":1}')`,
    values: [keys],
  });
}
