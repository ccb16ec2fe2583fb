import { join } from 'node:path';
import Type from 'typebox';
import { isInterruption } from '../interruption.ts';
import { enqueueOnce, type JobDefinition } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { type Database, isOutOfRoom } from '../postgres/database.ts';
import { readSpace, roomStateOf, sizeText } from '../room/space.ts';
import { type BackupResult, backUp, type Installation } from './backup.ts';
import { folderName, removeOldBackups, writeWhole } from './backup-folders.ts';
import { type BackupRecord, deleteOldRecords, findBackupState, insertBackup, isDone } from './backup-records.ts';
import { type BackupSettings, lastDue } from './backup-settings.ts';

/** The services with which a worker creates backups. */
export type BackupServices = {
  database: Database;
  log: Log;
  stopping: AbortSignal;
  /** Null when no folder is set. */
  backups: BackupSettings | null;
  /** Returns the installation, with a connection URL for the owner of its tables. */
  findInstallation(): Promise<Installation>;
};

/** A failed backup is retried after this time. */
const pauseMs = 15 * 60_000;
/** The next backup may be larger than the last. */
const growth = 1.2;

const payload = Type.Object({ due_at: Type.String() });

/** Throws when the folder's disk has too little room for another backup of the last one's size. */
async function checkRoom(directory: string, lastBytes: number): Promise<void> {
  const space = await readSpace(directory);
  const left = { ...space, freeBytes: space.freeBytes - lastBytes * growth };
  if (roomStateOf(left) !== 'low') return;
  throw new Error(
    `There is too little room for a backup: ${sizeText(space.freeBytes)} are free on the disk that holds ${directory}, and the last one took ${sizeText(lastBytes)}. Make room, or set ASSAY_BACKUP_KEEP to fewer.`,
  );
}

async function makeBackup(services: BackupServices, settings: BackupSettings, dueAt: Date): Promise<BackupRecord> {
  const { directory } = settings;
  const name = folderName(dueAt);
  const { bytes } = await services.database.transaction(null, findBackupState);
  await checkRoom(directory, bytes ?? 0);
  let result: BackupResult | undefined;
  await writeWhole(directory, name, async (partial) => {
    result = await backUp(await services.findInstallation(), partial, services.stopping);
  });
  const { takenAt, organizations, findings } = result!;
  return {
    dueAt,
    directory: join(directory, name),
    takenAt,
    error: null,
    bytes: result!.bytes,
    organizations,
    findings,
  };
}

/** Creates the backup that is due, and removes the oldest ones beyond `keep`. */
const scheduledBackup: JobDefinition<BackupServices, typeof payload> = {
  name: 'back-up',
  schema: payload,
  async run({ due_at }, services) {
    const { backups: settings, database, log, stopping } = services;
    const dueAt = new Date(due_at);
    if (!settings || (await database.transaction(null, (tx) => isDone(tx, dueAt, 0)))) return;
    const record = await makeBackup(services, settings, dueAt).catch((error: Error): BackupRecord => {
      // A full disk is a permanent failure here: a retry would fill it again.
      if (stopping.aborted || (isInterruption(error) && !isOutOfRoom(error))) throw error;
      log.error({ err: error, directory: settings.directory }, 'The backup failed; it is tried again in 15 minutes.');
      const nothing = { takenAt: null, bytes: null, organizations: null, findings: null };
      return { dueAt, directory: settings.directory, error: error.message.slice(0, 1_000), ...nothing };
    });
    await database.transaction(null, async (tx) => {
      await insertBackup(tx, record);
      await deleteOldRecords(tx);
    });
    if (record.error !== null) return;
    const removed = await removeOldBackups(settings.directory, settings.keep);
    const { directory, bytes, findings } = record;
    log.info({ directory, bytes, findings, removed }, 'The installation was backed up.');
  },
};

export const backupJobs = [scheduledBackup];

/** Enqueues the backup that is due, once across all nodes. */
async function takeUpBackup({ database, backups }: BackupServices): Promise<void> {
  if (!backups) return;
  await database.transaction(null, async (tx) => {
    const { rows } = await tx.query<{ now: Date }>({ name: 'backups_time', text: 'SELECT clock_timestamp() AS now' });
    const dueAt = lastDue(backups.at, rows[0]!.now);
    if (await isDone(tx, dueAt, pauseMs)) return;
    await enqueueOnce(tx, scheduledBackup, { due_at: dueAt.toISOString() }, 'scheduled-backup');
  });
}

export const backupTicks = [{ name: 'Resuming the backup that is due', everyMs: 60_000, run: takeUpBackup }];
