import { storableText } from '@assay/scanner/platform/storable-text.ts';
import { readChangeClock } from '../../findings/change-clock.ts';
import type { Tally } from '../../findings/record-detections.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { maxDelayMs, waitOf, wakeNextTargets } from './waiting-targets.ts';

/** The results of a target's run that survive an interruption. */
export type Kept = Record<'new' | 'reopened' | 'resolved', number>;

/** A target that this worker has claimed. Only the worker whose `attempt` is that of the row may write. */
export type ClaimedTarget = {
  scanId: string;
  dataSourceId: string;
  source: string;
  attempt: number;
  claimedAt: Date;
  /** The start of this attempt, by the clock of changes: findings closed before are reopened when they are seen. */
  startedAt: Date;
  /** The start of its scan, which may be many attempts ago. */
  scanStartedAt: Date;
  kept: Kept;
  /** The number of times that it was postponed because of a temporary error. */
  retries: number;
};

/**
 * A target whose worker was lost this often may be the cause. It pauses before it is resumed, longer each time, so
 * that other work gets done.
 */
const harmlessAttempts = 20;
const restPerAttempt = "interval '5 seconds'";
const longestRest = "interval '1 minute'";

/** Everything that writes a scan locks its row before the rows of its targets. */
export async function lockScan(tx: Db, orgId: string, scanId: string): Promise<void> {
  await tx.query({
    name: 'scan_lock',
    text: 'SELECT 1 FROM scans WHERE org_id = $1 AND id = $2 FOR UPDATE',
    values: [orgId, scanId],
  });
}

/** `waitMs` is the time until the next check. */
export type Claim = { kind: 'claimed'; target: ClaimedTarget } | { kind: 'busy'; waitMs: number } | { kind: 'ended' };

/** A longer pause, due to a clock change or a mistake, is considered over. */
const maxPauseSeconds = 300;
const maxAhead = 15;
/** A waiting target with at most this many others ahead of it makes sure that the first one runs. */
const nearFront = 3;

/**
 * Claims a target for this worker and marks its scan as running. `busy`: another scan by this source runs there or
 * was requested earlier, or the target is paused; `ended`: the target is finished or its scan was cancelled. A target
 * claimed by another worker is taken over.
 */
export async function claimTarget(tx: Db, orgId: string, scanId: string, dataSourceId: string): Promise<Claim> {
  await lockScan(tx, orgId, scanId);
  const before = await tx.query<{ status: string; source: string; pauseMs: number | null }>({
    name: 'scan_target_find_before',
    text: `SELECT t.status, t.source, CASE WHEN t.scan_id = $2 THEN extract(epoch FROM t.retry_at - clock_timestamp()) * 1000 END::float8 AS "pauseMs"
           FROM scan_targets t JOIN scan_targets mine USING (org_id, data_source_id, source)
           WHERE mine.org_id = $1 AND mine.scan_id = $2 AND mine.data_source_id = $3 AND t.status IN ('queued', 'running')
             AND (CASE WHEN t.status = 'queued' THEN mine.status = 'queued' AND (t.arrival, t.scan_id) < (mine.arrival, mine.scan_id)
               ELSE t.scan_id <> $2 OR (t.attempt > ${harmlessAttempts} AND t.heartbeat_at BETWEEN clock_timestamp()
                 - least((t.attempt - ${harmlessAttempts}) * ${restPerAttempt}, ${longestRest}) AND clock_timestamp())
                 OR t.retry_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '${maxPauseSeconds} seconds' END)
           ORDER BY t.status DESC LIMIT ${maxAhead + 1}`,
    values: [orgId, scanId, dataSourceId],
  });
  const [first] = before.rows;
  if (first) {
    const ahead = Math.min(maxAhead, before.rows.filter(({ status }) => status === 'queued').length);
    // A waiting target may have been postponed by a clock that has been set back.
    if (first.status === 'queued' && ahead <= nearFront) await wakeNextTargets(tx, orgId, first.source, [dataSourceId]);
    return {
      kind: 'busy',
      waitMs: first.pauseMs === null ? waitOf(ahead) : Math.min(maxDelayMs, Math.max(1, first.pauseMs)),
    };
  }
  type Claimed = Pick<ClaimedTarget, 'source' | 'attempt' | 'claimedAt' | 'kept' | 'retries'>;
  const { rows } = await tx.query<Claimed & { claimedText: string }>({
    name: 'scan_target_claim',
    text: `UPDATE scan_targets t SET status = 'running', attempt = t.attempt + 1, started_at = statement_timestamp(),
             heartbeat_at = statement_timestamp(), fraction = NULL, message = NULL, retry_at = NULL
           WHERE t.org_id = $1 AND t.scan_id = $2 AND t.data_source_id = $3 AND t.status IN ('queued', 'running')
           RETURNING t.source, t.attempt, t.retries, t.started_at AS "claimedAt", t.started_at::text AS "claimedText",
             json_build_object('new', kept_new, 'reopened', kept_reopened, 'resolved', kept_resolved) AS kept`,
    values: [orgId, scanId, dataSourceId],
  });
  if (!rows[0]) return { kind: 'ended' };
  const { claimedText, ...row } = rows[0];
  const scans = await tx.query<{ scanStartedAt: Date }>({
    name: 'scan_begin',
    text: `UPDATE scans SET status = 'running', started_at = COALESCE(started_at, $3)
           WHERE org_id = $1 AND id = $2 RETURNING started_at AS "scanStartedAt"`,
    values: [orgId, scanId, claimedText],
  });
  const startedAt = await readChangeClock(tx, orgId);
  return { kind: 'claimed', target: { scanId, dataSourceId, startedAt, ...row, ...scans.rows[0]! } };
}

/** Returns whether this server has completed a scan of a data source with a source. */
export async function hasScanned(
  db: Db,
  orgId: string,
  { dataSourceId, source }: Pick<ClaimedTarget, 'dataSourceId' | 'source'>,
): Promise<boolean> {
  const { rows } = await db.query<{ scanned: boolean }>({
    name: 'scan_target_has_scanned',
    text: `SELECT EXISTS (SELECT 1 FROM scan_targets t JOIN scans s ON s.org_id = t.org_id AND s.id = t.scan_id
             WHERE t.org_id = $1 AND t.data_source_id = $2 AND t.source = $3 AND t.status = 'completed'
               AND s.trigger <> 'import') AS scanned`,
    values: [orgId, dataSourceId, source],
  });
  return rows[0]!.scanned;
}

/**
 * Locks the claim until the transaction ends; false when this worker has lost it. Several transactions can share the
 * lock, unless `alone`: such a transaction may call `keepTally`.
 */
export async function isClaimed(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId, attempt }: ClaimedTarget,
  { alone = false } = {},
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: alone ? 'scan_target_is_claimed_alone' : 'scan_target_is_claimed',
    text: `SELECT 1 FROM scan_targets WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4
             AND status = 'running' ${alone ? 'FOR NO KEY UPDATE' : 'FOR SHARE'}`,
    values: [orgId, scanId, dataSourceId, attempt],
  });
  return rowCount === 1;
}

/** Adds the results of this transaction to the target, so that they survive an interruption. */
export async function keepTally(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId }: Pick<ClaimedTarget, 'scanId' | 'dataSourceId'>,
  done: Partial<Kept>,
): Promise<void> {
  if (Object.values(done).every((count) => count === 0)) return;
  await tx.query({
    name: 'scan_target_keep',
    text: `UPDATE scan_targets SET kept_new = kept_new + $4, kept_reopened = kept_reopened + $5, kept_resolved = kept_resolved + $6
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3`,
    values: [orgId, scanId, dataSourceId, done.new ?? 0, done.reopened ?? 0, done.resolved ?? 0],
  });
}

/** Records that the worker is alive, and its progress; false when this worker has lost its claim. */
export async function recordHeartbeat(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId, attempt }: ClaimedTarget,
  fraction: number | null,
  message: string | null,
  tally: Tally,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'scan_target_beat',
    text: `UPDATE scan_targets SET heartbeat_at = statement_timestamp(), fraction = $5, message = $6,
             found_new = $7, found_seen = $8, found_reopened = $9, found_resolved = $10
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4 AND status = 'running'`,
    values: [
      orgId,
      scanId,
      dataSourceId,
      attempt,
      fraction,
      message && storableText(message.slice(0, 500)),
      tally.new,
      tally.seen,
      tally.reopened,
      tally.resolved,
    ],
  });
  return rowCount === 1;
}

/** The reason why a completed target closed nothing. */
export type ClosedNothing = 'incomplete' | 'not_requested' | 'overtaken' | 'nothing_missing';

export type TargetOutcome = {
  status: 'completed' | 'failed';
  error: string | null;
  warnings: string[];
  tally: Tally;
  /** Ignored when the tally says that findings were closed. */
  closedNothing?: ClosedNothing | null;
  /** The version of the program that ran, if it is known. An import has the versions in its file instead. */
  toolVersion?: string | null;
  /** The scanned commit of a git repository. */
  revision?: string | null;
};

/**
 * Ends a target and, if it was the last, its scan; wakes the target that waited for it. The scan's row is locked
 * first, so that the later of two targets that end concurrently detects the other's end. Returns false when this
 * worker has lost its claim.
 */
export async function endTarget(
  tx: Db,
  orgId: string,
  target: ClaimedTarget,
  outcome: TargetOutcome,
): Promise<boolean> {
  const { tally } = outcome;
  await lockScan(tx, orgId, target.scanId);
  const { rowCount } = await tx.query({
    name: 'scan_target_end',
    text: `UPDATE scan_targets SET status = $5, error = $6, warnings = $7, completed_at = statement_timestamp(), fraction = NULL,
             message = NULL, found_new = $8, found_seen = $9, found_reopened = $10, found_resolved = $11, closed_nothing = $12,
             tool_versions = CASE WHEN $13::text IS NULL THEN tool_versions ELSE json_build_object(source, $13::text) END, revision = $14
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4 AND status IN ('queued', 'running')`,
    values: [
      orgId,
      target.scanId,
      target.dataSourceId,
      target.attempt,
      outcome.status,
      outcome.error && storableText(outcome.error),
      outcome.warnings.map(storableText),
      tally.new,
      tally.seen,
      tally.reopened,
      tally.resolved,
      tally.resolved > 0 ? null : (outcome.closedNothing ?? null),
      storableText(outcome.toolVersion ?? '') || null,
      outcome.revision ?? null,
    ],
  });
  if (rowCount === 0) return false;
  await endScan(tx, orgId, target.scanId);
  await wakeNextTargets(tx, orgId, target.source, [target.dataSourceId]);
  return true;
}

/** Ends a scan whose targets have all ended: `partial` when some failed, `failed` when all did. */
export async function endScan(tx: Db, orgId: string, scanId: string): Promise<void> {
  await tx.query({
    name: 'scan_end',
    text: `UPDATE scans s SET completed_at = statement_timestamp(), started_at = LEAST(s.started_at, statement_timestamp()),
             status = CASE WHEN t.failed = 0 AND t.completed = 0 THEN 'cancelled' WHEN t.failed = 0 THEN 'completed'
                           WHEN t.completed = 0 THEN 'failed' ELSE 'partial' END
           FROM (SELECT count(*) FILTER (WHERE status IN ('queued', 'running')) AS unfinished,
                        count(*) FILTER (WHERE status = 'failed') AS failed,
                        count(*) FILTER (WHERE status = 'completed') AS completed
                 FROM scan_targets WHERE org_id = $1 AND scan_id = $2) t
           WHERE s.org_id = $1 AND s.id = $2 AND s.status IN ('queued', 'running') AND t.unfinished = 0`,
    values: [orgId, scanId],
  });
}

/** Cancels the unfinished targets of a deleted data source, and ends scans without any other unfinished target. */
export async function cancelTargetsOfDataSource(tx: Db, orgId: string, dataSourceId: string): Promise<void> {
  const { rows } = await tx.query<{ scanId: string }>({
    text: `SELECT scan_id AS "scanId" FROM scan_targets
           WHERE org_id = $1 AND data_source_id = $2 AND status IN ('queued', 'running') ORDER BY scan_id`,
    values: [orgId, dataSourceId],
  });
  for (const { scanId } of rows) {
    await lockScan(tx, orgId, scanId);
    await tx.query({
      text: `UPDATE scan_targets SET status = 'cancelled', completed_at = statement_timestamp()
             WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND status IN ('queued', 'running')`,
      values: [orgId, scanId, dataSourceId],
    });
    await endScan(tx, orgId, scanId);
  }
}
