import { storableText } from '@assay/scanner/platform/storable-text.ts';
import { wakeJobs } from '../../platform/jobs/jobs.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { enqueueTarget } from './target-job.ts';
import { type ClaimedTarget, isClaimed } from './target-queries.ts';
import { maxDelayMs, targetKey } from './waiting-targets.ts';

/**
 * The pauses before a target is tried again. Together with the last, they are long enough for a host that restarts.
 */
const pausesMs = [2_000, 10_000, 30_000, 60_000, 120_000, 240_000];

type Services = { database: Database; retryForMs: number };

/**
 * Tries a target again after a pause, which grows with each attempt. It stays `running`, so that other scans of the
 * same data source wait for it, and shows the reason. Returns false when all attempts are used up, or the next one
 * would start later than `retryForMs` after the first failure.
 */
export async function postponeTarget(
  { database, retryForMs }: Services,
  orgId: string,
  target: ClaimedTarget,
  reason: string,
): Promise<boolean> {
  const pauseMs = pausesMs[target.retries];
  if (pauseMs === undefined) return false;
  const seconds = pauseMs / 1000;
  const message = `Trying again in ${seconds} s (attempt ${target.retries + 2} of at most ${pausesMs.length + 1}). ${reason}`;
  return database.transaction(orgId, async (tx) => {
    await tx.query({
      name: 'scan_target_first_failure',
      text: `UPDATE scan_targets SET first_failed_at = statement_timestamp()
             WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4 AND status = 'running'
               AND first_failed_at IS NULL`,
      values: [orgId, target.scanId, target.dataSourceId, target.attempt],
    });
    const { rowCount } = await tx.query({
      name: 'scan_target_postpone',
      text: `UPDATE scan_targets SET retries = retries + 1,
               retry_at = statement_timestamp() + $5 * interval '1 millisecond', retry_reason = $6, message = $7, fraction = NULL,
               found_new = kept_new, found_reopened = kept_reopened, found_resolved = kept_resolved
             WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4 AND status = 'running'
               AND statement_timestamp() + $5 * interval '1 millisecond' <= first_failed_at + $8 * interval '1 millisecond'`,
      values: [
        ...[orgId, target.scanId, target.dataSourceId, target.attempt, pauseMs],
        ...[storableText(reason), storableText(message).slice(0, 500), retryForMs],
      ],
    });
    if (rowCount === 1)
      await enqueueTarget(tx, orgId, target.scanId, target.dataSourceId, Math.min(pauseMs, maxDelayMs));
    // The target was lost to a cancellation or another worker: there is nothing to record.
    return rowCount === 1 || !(await isClaimed(tx, orgId, target));
  });
}

/** Returns the sentence for a target that failed each time. */
export const triedOften = (sentence: string, { retries }: ClaimedTarget): string =>
  `${sentence} It was tried ${retries + 1} times.`;

/** Ends the pauses of a scan's targets, since the scan was requested again. */
export async function hurryTargets(tx: Db, orgId: string, scanId: string): Promise<void> {
  const { rows } = await tx.query<{ dataSourceId: string }>({
    name: 'scan_targets_hurry',
    text: `UPDATE scan_targets SET retry_at = NULL
           WHERE org_id = $1 AND scan_id = $2 AND status = 'running' AND retry_at IS NOT NULL
           RETURNING data_source_id AS "dataSourceId"`,
    values: [orgId, scanId],
  });
  if (rows.length > 0) {
    await wakeJobs(
      tx,
      rows.map(({ dataSourceId }) => targetKey(scanId, dataSourceId)),
    );
  }
}
