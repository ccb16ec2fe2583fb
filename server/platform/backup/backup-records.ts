import { randomUUID } from 'node:crypto';
import type { Metrics } from '../metrics.ts';
import type { Database, Db } from '../postgres/database.ts';
import type { Manifest } from './manifest.ts';

/** The outcome of a backup. */
export type BackupRecord = {
  dueAt: Date | null;
  directory: string;
  takenAt: string | null;
  error: string | null;
  bytes: number | null;
  organizations: number | null;
  findings: number | null;
};

/** A connection that runs a statement: the application's, or that of a command. */
type Connection = { query(statement: { text: string; values: unknown[] }): Promise<{ rows: unknown[] }> };

/** Returns the number of rows of a table in a backup. */
export const rowsOf = ({ tables }: Manifest, table: string): number =>
  tables.find(({ schema, name }) => schema === 'public' && name === table)?.rows ?? 0;

export async function insertBackup(db: Connection, record: BackupRecord): Promise<void> {
  await db.query({
    text: `INSERT INTO backups (id, due_at, directory, taken_at, ended_at, error, bytes, organizations, findings)
           VALUES ($1, $2, $3, $4, clock_timestamp(), $5, $6, $7, $8)`,
    values: [
      randomUUID(),
      record.dueAt,
      record.directory,
      record.takenAt,
      record.error,
      record.bytes,
      record.organizations,
      record.findings,
    ],
  });
}

/** Removes records that are older than a year. */
export async function deleteOldRecords(db: Db): Promise<void> {
  await db.query({
    name: 'backups_delete_old',
    text: `DELETE FROM backups WHERE ended_at < clock_timestamp() - interval '1 year'`,
    values: [],
  });
}

/** Returns whether the backup of `dueAt` exists, or failed within the last `pauseMs`. */
export async function isDone(db: Db, dueAt: Date, pauseMs: number): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: 'backups_is_done',
    text: `SELECT EXISTS (SELECT FROM backups WHERE due_at = $1
             AND (error IS NULL OR ended_at > clock_timestamp() - $2 * interval '1 millisecond')) AS done`,
    values: [dueAt, pauseMs],
  });
  return rows[0]!.done;
}

/** Records a restore drill; `error` says why it failed. */
export async function updateDrill(db: Connection, takenAt: string, error: string | null): Promise<void> {
  await db.query({
    text: 'UPDATE backups SET drilled_at = statement_timestamp(), drill_error = $2 WHERE taken_at = $1',
    values: [takenAt, error],
  });
}

/** The newest backup, and the last attempt. */
export type BackupState = {
  /** Null when there is none. */
  ageSeconds: number | null;
  directory: string | null;
  bytes: number | null;
  findings: number | null;
  drilledSeconds: number | null;
  drillError: string | null;
  /** Why the last attempt failed; null when it did not. */
  lastError: string | null;
};

/** Returns the state of backups. */
export async function findBackupState(db: Db): Promise<BackupState> {
  const { rows } = await db.query<BackupState>({
    name: 'backups_state',
    text: `WITH newest AS (SELECT * FROM backups WHERE error IS NULL ORDER BY taken_at DESC, ended_at DESC LIMIT 1),
             drilled AS (SELECT * FROM backups WHERE drilled_at IS NOT NULL ORDER BY drilled_at DESC, taken_at DESC LIMIT 1)
           SELECT (SELECT extract(epoch FROM clock_timestamp() - taken_at)::float8 FROM newest) AS "ageSeconds",
             (SELECT directory FROM newest) AS directory, (SELECT bytes::float8 FROM newest) AS bytes,
             (SELECT findings::float8 FROM newest) AS findings,
             (SELECT extract(epoch FROM clock_timestamp() - drilled_at)::float8 FROM drilled) AS "drilledSeconds",
             (SELECT drill_error FROM drilled) AS "drillError",
             (SELECT error FROM backups ORDER BY ended_at DESC LIMIT 1) AS "lastError"`,
    values: [],
  });
  return rows[0]!;
}

/** Adds the age of the newest backup, and whether the last attempt failed. */
export function addBackupMetrics(metrics: Metrics, database: Pick<Database, 'transaction'>): void {
  metrics.gauge('backup_age_seconds', 'The age of the newest backup; absent when there is none.', [], async () => {
    const { ageSeconds } = await database.transaction(null, findBackupState);
    return ageSeconds === null ? [] : [{ labels: {}, value: ageSeconds }];
  });
  metrics.gauge('backup_failed', 'Whether the last attempt of a backup failed: 1 or 0.', [], async () => {
    const { lastError, ageSeconds } = await database.transaction(null, findBackupState);
    return ageSeconds === null && lastError === null ? [] : [{ labels: {}, value: lastError === null ? 0 : 1 }];
  });
}
