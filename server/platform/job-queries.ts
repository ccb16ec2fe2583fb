import type pg from 'pg';
import type { Sign } from './silent-workers.ts';

/**
 * What the job queue's own library has no function for. An attempt is counted when a job is taken; these give it back, except
 * to a job whose place a newer one has taken: that one has no key any more and all attempts used up, so that nobody takes it.
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

/** Renews the locks of jobs that run for hours: the library takes jobs whose lock is four hours old for lost. */
export async function renewLocks(pool: Pool, jobIds: string[]): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = clock_timestamp()
     WHERE id = ANY($1::bigint[]) AND locked_at < clock_timestamp() - interval '1 hour'`,
    [jobIds],
  );
}

/** The last signs of life of the workers that hold jobs: heartbeats, or when they last took a job. */
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

/** Frees the jobs of workers that died, which stay locked for hours otherwise; of all workers with null. */
export async function freeJobsOfDead(pool: Pool, workers: string[] | null): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, ${attemptGivenBack}
     WHERE locked_by IS NOT NULL AND ($1::text[] IS NULL OR locked_by = ANY($1))`,
    [workers],
  );
  await pool.query(`DELETE FROM worker_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`);
}

/** Longer than any job is put off other than after a failure. */
const maxDelaySeconds = 15;

/**
 * Wakes jobs that would sleep for longer than they were to: the clock was set back. After a failure that is e to the power of the
 * attempts, in seconds, ten attempts at most, as the library counts.
 */
export async function wakeOverslept(pool: Pool): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp()
     WHERE locked_at IS NULL AND attempts < max_attempts
       AND run_at > clock_timestamp() + (exp(least(attempts, 10)) + $1) * interval '1 second'`,
    [maxDelaySeconds],
  );
}

/** Ids of the jobs that these workers hold besides those that run. */
export async function listIdleJobs(pool: Pool, workers: string[], running: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id::text FROM graphile_worker._private_jobs WHERE locked_by = ANY($1) AND NOT id = ANY($2::bigint[])`,
    [workers, running],
  );
  return rows.map(({ id }) => id);
}

/** Lets go of jobs that these workers hold. */
export async function freeJobs(pool: Pool, workers: string[], jobIds: string[]): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, ${attemptGivenBack}
     WHERE locked_by = ANY($1) AND id = ANY($2::bigint[])`,
    [workers, jobIds],
  );
}

/** Gives back the attempt of a job that was interrupted and is about to be let go of, and has it rest for `pauseMs`. */
export async function giveAttemptBack(pool: Pool, jobId: string, pauseMs: number): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs
     SET ${attemptGivenBack}, run_at = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE id = $1 AND locked_by IS NOT NULL`,
    [jobId, pauseMs],
  );
}

/** Removes the jobs that have used up their attempts. */
export async function deleteFinishedJobs(pool: Pool): Promise<void> {
  await pool.query(`DELETE FROM graphile_worker._private_jobs WHERE locked_at IS NULL AND attempts >= max_attempts`);
}
