import type { Tally } from '../../findings/record-detections.ts';
import type { Db } from '../../platform/postgres/database.ts';

/** A target that this worker runs: only its holder writes, as long as `attempt` is the row's own. */
export type HeldTarget = { scanId: string; dataSourceId: string; source: string; attempt: number; startedAt: Date };

/** Every writer of a scan takes its row before those of its targets. */
async function lockScan(tx: Db, orgId: string, scanId: string): Promise<void> {
  await tx.query({
    name: 'scan_lock',
    text: 'SELECT 1 FROM scans WHERE org_id = $1 AND id = $2 FOR UPDATE',
    values: [orgId, scanId],
  });
}

export type Claim = { kind: 'held'; target: HeldTarget } | { kind: 'busy' } | { kind: 'ended' };

/**
 * Takes a target for this worker and marks its scan as running. `busy`: another scan by this source runs there; `ended`:
 * the target is finished or its scan was cancelled. A target that another worker held is taken over.
 */
export async function claimTarget(tx: Db, orgId: string, scanId: string, dataSourceId: string): Promise<Claim> {
  await lockScan(tx, orgId, scanId);
  const busy = await tx.query({
    name: 'scan_target_find_running',
    text: `SELECT 1 FROM scan_targets t JOIN scan_targets mine USING (org_id, data_source_id, source)
           WHERE mine.org_id = $1 AND mine.scan_id = $2 AND mine.data_source_id = $3 AND t.scan_id <> $2 AND t.status = 'running'`,
    values: [orgId, scanId, dataSourceId],
  });
  if (busy.rowCount > 0) return { kind: 'busy' };
  const { rows } = await tx.query<{ source: string; attempt: number; startedAt: Date }>({
    name: 'scan_target_claim',
    text: `UPDATE scan_targets t SET status = 'running', attempt = t.attempt + 1, started_at = clock_timestamp(),
             heartbeat_at = clock_timestamp(), fraction = NULL, message = NULL
           WHERE t.org_id = $1 AND t.scan_id = $2 AND t.data_source_id = $3 AND t.status IN ('queued', 'running')
           RETURNING t.source, t.attempt, t.started_at AS "startedAt"`,
    values: [orgId, scanId, dataSourceId],
  });
  const [row] = rows;
  if (!row) return { kind: 'ended' };
  await tx.query({
    name: 'scan_begin',
    text: `UPDATE scans SET status = 'running', started_at = COALESCE(started_at, clock_timestamp())
           WHERE org_id = $1 AND id = $2 AND status = 'queued'`,
    values: [orgId, scanId],
  });
  return { kind: 'held', target: { scanId, dataSourceId, ...row } };
}

/** Keeps the row from changing hands until the transaction ends; false when the target is no longer this worker's. */
export async function isHeld(tx: Db, orgId: string, { scanId, dataSourceId, attempt }: HeldTarget): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'scan_target_is_held',
    text: `SELECT 1 FROM scan_targets WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4
             AND status = 'running' FOR SHARE`,
    values: [orgId, scanId, dataSourceId, attempt],
  });
  return rowCount === 1;
}

/** Tells that the worker is alive, and how far it is; false when the target is no longer its own. */
export async function beatTarget(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId, attempt }: HeldTarget,
  fraction: number | null,
  message: string | null,
  tally: Tally,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'scan_target_beat',
    text: `UPDATE scan_targets SET heartbeat_at = clock_timestamp(), fraction = $5, message = $6,
             found_new = $7, found_seen = $8, found_reopened = $9, found_resolved = $10
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4 AND status = 'running'`,
    values: [
      orgId,
      scanId,
      dataSourceId,
      attempt,
      fraction,
      message?.slice(0, 500) ?? null,
      tally.new,
      tally.seen,
      tally.reopened,
      tally.resolved,
    ],
  });
  return rowCount === 1;
}

export type TargetOutcome = { status: 'completed' | 'failed'; error: string | null; warnings: string[]; tally: Tally };

/**
 * Ends a target and, when it was the last, its scan. The scan's row is locked first: of two targets that end at once, the
 * later one sees the other's end. Answers false when the target was no longer this worker's.
 */
export async function endTarget(tx: Db, orgId: string, target: HeldTarget, outcome: TargetOutcome): Promise<boolean> {
  const { tally } = outcome;
  await lockScan(tx, orgId, target.scanId);
  const { rowCount } = await tx.query({
    name: 'scan_target_end',
    text: `UPDATE scan_targets SET status = $5, error = $6, warnings = $7, completed_at = clock_timestamp(), fraction = NULL,
             message = NULL, found_new = $8, found_seen = $9, found_reopened = $10, found_resolved = $11
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND attempt = $4 AND status IN ('queued', 'running')`,
    values: [
      orgId,
      target.scanId,
      target.dataSourceId,
      target.attempt,
      outcome.status,
      outcome.error,
      outcome.warnings,
      tally.new,
      tally.seen,
      tally.reopened,
      tally.resolved,
    ],
  });
  if (rowCount === 1) await endScan(tx, orgId, target.scanId);
  return rowCount === 1;
}

/** Ends a scan all of whose targets have ended: `partial` when some failed, `failed` when all did. */
async function endScan(tx: Db, orgId: string, scanId: string): Promise<void> {
  await tx.query({
    name: 'scan_end',
    text: `UPDATE scans s SET completed_at = clock_timestamp(), started_at = COALESCE(s.started_at, clock_timestamp()),
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

/** Cancels what is unfinished of a deleted data source's targets, and ends the scans that have no other left. */
export async function cancelTargetsOfDataSource(tx: Db, orgId: string, dataSourceId: string): Promise<void> {
  const { rows } = await tx.query<{ scanId: string }>({
    text: `SELECT scan_id AS "scanId" FROM scan_targets
           WHERE org_id = $1 AND data_source_id = $2 AND status IN ('queued', 'running') ORDER BY scan_id`,
    values: [orgId, dataSourceId],
  });
  for (const { scanId } of rows) {
    await lockScan(tx, orgId, scanId);
    await tx.query({
      text: `UPDATE scan_targets SET status = 'cancelled', completed_at = clock_timestamp()
             WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND status IN ('queued', 'running')`,
      values: [orgId, scanId, dataSourceId],
    });
    await endScan(tx, orgId, scanId);
  }
}

/** Targets that no worker will take up any more. */
export async function listAbandonedTargets(
  db: Db,
  silentForMs: number,
): Promise<Array<{ orgId: string; scanId: string; dataSourceId: string }>> {
  const { rows } = await db.query<{ orgId: string; scanId: string; dataSourceId: string }>({
    text: `SELECT org_id AS "orgId", scan_id AS "scanId", data_source_id AS "dataSourceId"
           FROM abandoned_scan_targets(clock_timestamp() - $1 * interval '1 millisecond')`,
    values: [silentForMs],
  });
  return rows;
}
