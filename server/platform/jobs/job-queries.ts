import type pg from 'pg';
import type { Sign } from './silent-workers.ts';

/**
 * Gives an attempt back. The library counts an attempt when a job is locked, and has no function to undo that. A job
 * that was replaced by a newer one with its key is left alone: it has lost its key and used up all attempts, so that
 * no worker runs it.
 */
const attemptGivenBack = `attempts = CASE WHEN key IS NULL AND attempts >= max_attempts THEN attempts
                                          ELSE greatest(attempts - 1, 0) END`;

type Pool = Pick<pg.Pool, 'query'>;

export async function upsertHeartbeats(pool: Pool, workers: string[]): Promise<void> {
  await pool.query(
    `INSERT INTO worker_heartbeats (worker_id, beat_at) SELECT unnest($1::text[]), clock_timestamp()
     ON CONFLICT (worker_id) DO UPDATE SET beat_at = excluded.beat_at`,
    [workers],
  );
}

/** Renews the locks of long-running jobs: the library treats jobs whose lock is four hours old as lost. */
export async function renewLocks(pool: Pool, jobIds: string[]): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = clock_timestamp()
     WHERE id = ANY($1::bigint[]) AND locked_at < clock_timestamp() - interval '1 hour'`,
    [jobIds],
  );
}

/**
 * Returns the last sign of life of each worker with locked jobs: its heartbeat, or the time at which it last locked a
 * job.
 */
export async function listSigns(pool: Pool, silentForMs: number): Promise<Sign[]> {
  const { rows } = await pool.query<Sign>(
    `SELECT worker, at::text AS sign, at <= clock_timestamp() - $1 * interval '1 millisecond' AS "isOld"
     FROM (SELECT locked_by AS worker, COALESCE(max(h.beat_at), max(locked_at)) AS at
           FROM graphile_worker._private_jobs LEFT JOIN worker_heartbeats h ON h.worker_id = locked_by
           WHERE locked_by IS NOT NULL GROUP BY locked_by) AS held`,
    [silentForMs],
  );
  return rows;
}

/** Unlocks the jobs of dead workers, which would otherwise stay locked for hours; with null, of all workers. */
export async function freeJobsOfDead(pool: Pool, workers: string[] | null): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, ${attemptGivenBack}
     WHERE locked_by IS NOT NULL AND ($1::text[] IS NULL OR locked_by = ANY($1))`,
    [workers],
  );
  await pool.query(`DELETE FROM worker_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`);
}

/** The maximum delay of a job, except after a failure. */
const maxDelaySeconds = 15;

/**
 * Wakes jobs that would sleep for longer than intended because the clock was set back. After a failure, the library
 * waits for e to the power of the number of attempts (ten at most), in seconds.
 */
export async function wakeOverslept(pool: Pool): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp()
     WHERE locked_at IS NULL AND attempts < max_attempts
       AND run_at > clock_timestamp() + (exp(least(attempts, 10)) + $1) * interval '1 second'`,
    [maxDelaySeconds],
  );
}

/** Returns the ids of the jobs that these workers have locked but are not running. */
export async function listIdleJobs(pool: Pool, workers: string[], running: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id::text FROM graphile_worker._private_jobs WHERE locked_by = ANY($1) AND NOT id = ANY($2::bigint[])`,
    [workers, running],
  );
  return rows.map(({ id }) => id);
}

/** Unlocks jobs of these workers. */
export async function freeJobs(pool: Pool, workers: string[], jobIds: string[]): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, ${attemptGivenBack}
     WHERE locked_by = ANY($1) AND id = ANY($2::bigint[])`,
    [workers, jobIds],
  );
}

/** Gives back the attempt of an interrupted job that is about to be unlocked, and delays the job by `pauseMs`. */
export async function giveAttemptBack(pool: Pool, jobId: string, pauseMs: number): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs
     SET ${attemptGivenBack}, run_at = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE id = $1 AND locked_by IS NOT NULL`,
    [jobId, pauseMs],
  );
}

/** Deletes jobs that have used up their attempts. */
export async function deleteFinishedJobs(pool: Pool): Promise<void> {
  await pool.query(`DELETE FROM graphile_worker._private_jobs WHERE locked_at IS NULL AND attempts >= max_attempts`);
}

type JobState = 'waiting' | 'delayed' | 'running';

export type JobFigures = {
  jobs: Array<{ job: string; state: JobState; count: number }>;
  /** Null when no job waits. */
  oldestWaitingSeconds: number | null;
  /** Null before the first worker has started. */
  heartbeatAgeSeconds: number | null;
};

/** Counts unfinished jobs by name and state. A delayed job waits for its time, or for a retry after a failure. */
export async function jobFigures(pool: Pool): Promise<JobFigures> {
  const { rows } = await pool.query<{ figures: JobFigures }>(
    `WITH jobs AS (
       SELECT t.identifier AS job, run_at,
         CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN run_at > clock_timestamp() THEN 'delayed' ELSE 'waiting' END AS state
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE attempts < max_attempts)
     SELECT json_build_object(
       'jobs', COALESCE((SELECT json_agg(counted) FROM (SELECT job, state, count(*)::integer AS count FROM jobs
                         GROUP BY job, state ORDER BY job, state) counted), '[]'),
       'oldestWaitingSeconds', (SELECT extract(epoch FROM clock_timestamp() - min(run_at)) FROM jobs WHERE state = 'waiting'),
       'heartbeatAgeSeconds', (SELECT extract(epoch FROM clock_timestamp() - max(beat_at)) FROM worker_heartbeats)) AS figures`,
  );
  return rows[0]!.figures;
}

/** Adds up the figures of several cells. The oldest heartbeat counts: in each cell, some worker must be alive. */
export function sumFigures(all: JobFigures[]): JobFigures {
  const longest = (seconds: Array<number | null>) => {
    const known = seconds.filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  const groups = Map.groupBy(
    all.flatMap(({ jobs }) => jobs),
    ({ job, state }) => `${job} ${state}`,
  );
  return {
    jobs: [...groups.values()].map((group) => ({
      ...group[0]!,
      count: group.reduce((sum, { count }) => sum + count, 0),
    })),
    oldestWaitingSeconds: longest(all.map(({ oldestWaitingSeconds }) => oldestWaitingSeconds)),
    heartbeatAgeSeconds: longest(all.map(({ heartbeatAgeSeconds }) => heartbeatAgeSeconds)),
  };
}

/** The number of attempts after which a failure is no longer considered an accident. */
const manyAttempts = 3;

/** Counts, by name, the jobs that failed several times and will be retried. */
export async function listFailingJobs(pool: Pool): Promise<Array<{ job: string; count: number }>> {
  const { rows } = await pool.query<{ job: string; count: number }>(
    `SELECT t.identifier AS job, count(*)::integer AS count
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE j.last_error IS NOT NULL AND j.attempts BETWEEN $1 AND j.max_attempts - 1 GROUP BY 1 ORDER BY 1`,
    [manyAttempts],
  );
  return rows;
}
