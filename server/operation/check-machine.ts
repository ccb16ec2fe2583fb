import { listChangesAhead } from '../findings/change-clock.ts';
import { findBackupState } from '../platform/backup/backup-records.ts';
import type { Database } from '../platform/postgres/database.ts';
import { listSizes } from '../platform/room/directory-size.ts';
import { listDisks } from '../platform/room/disk-reports.ts';
import { roomStateOf, type Space, sizeText } from '../platform/room/space.ts';
import { type CheckInput, durationText, failed, type Outcome, ok, warning } from './check.ts';

const daySeconds = 86_400;

/** Says what the largest parts of a data directory are. */
async function filledBy(directory: string): Promise<string> {
  const largest = (await listSizes(directory)).slice(0, 4);
  return largest.map(({ name, bytes }) => `${name} ${sizeText(bytes)}`).join(', ');
}

/** Checks the room on the disks: that of this machine, and those that workers have reported. */
export async function checkRoom({ database, room }: CheckInput): Promise<Outcome> {
  const disks: Array<Space & { where: string }> = [];
  if (room) disks.push({ where: room.directory, ...(await room.find()) });
  const reported = await database.transaction(null, listDisks).catch(() => []);
  for (const { node, directory, ...space } of reported) {
    if (directory !== room?.directory) disks.push({ where: `${directory} on ${node}`, ...space });
  }
  if (disks.length === 0)
    return warning('No worker has reported the room on its disk in the last minutes.', 'Start a worker.');
  const sentences = disks.map(
    ({ where, freeBytes, totalBytes }) => `${sizeText(freeBytes)} of ${sizeText(totalBytes)} are free for ${where}.`,
  );
  const summary = sentences.join(' ');
  const states = disks.map(roomStateOf);
  if (!states.includes('low') && !states.includes('short')) return ok(summary);
  const parts = room && roomStateOf(disks[0]!) !== 'ok' ? await filledBy(room.directory) : '';
  const what = parts === '' ? 'The log of the worker there says what fills it.' : `The data directory holds ${parts}.`;
  return states.includes('low')
    ? failed(summary, `Make room: fetches and imports wait until there is more. ${what}`)
    : warning(summary, `Make room: caches are removed until there is more. ${what}`);
}

/** Checks whether a clock that agrees now was ahead before. */
async function checkChangesAhead(database: Database): Promise<Outcome> {
  const agree = 'The clock of this machine and that of the database agree';
  const [furthest, ...others] = await listChangesAhead(database);
  if (!furthest) return ok(`${agree}.`);
  const where = others.length === 0 ? furthest.orgId : `${furthest.orgId} and ${others.length} more organizations`;
  return warning(
    `${agree}, and were ahead before: the newest changes of findings in ${where} are ${durationText(furthest.seconds)} in the future.`,
    'Make sure that the clocks are set by NTP (timedatectl), then run "assay repair clock".',
  );
}

/** Compares the clock of this machine with that of the database, and with what was written before. */
export async function checkClock({ database }: CheckInput): Promise<Outcome> {
  const before = Date.now();
  const rows = await database.single<{ now: Date }>(null, {
    name: 'doctor_time',
    text: 'SELECT clock_timestamp() AS now',
  });
  const after = Date.now();
  const apart = Math.max(before - rows[0]!.now.getTime(), rows[0]!.now.getTime() - after, 0) / 1000;
  const action = 'Set both clocks by NTP (timedatectl shows whether that works).';
  if (apart < 2) return checkChangesAhead(database);
  const summary = `The clock of this machine and that of the database are ${durationText(apart)} apart.`;
  return apart < 60 ? warning(summary, action) : failed(summary, action);
}

/** Checks the age of the newest backup, the last attempt, and the last drill. */
export async function checkBackups({ database, backups }: CheckInput): Promise<Outcome> {
  const { ageSeconds, directory, lastError, drilledSeconds, drillError } = await database.transaction(
    null,
    findBackupState,
  );
  const how = backups ? `Backups are made into ${backups.directory}.` : 'Set ASSAY_BACKUP_DIR for one each day.';
  if (lastError !== null) return failed(`The last backup failed: ${lastError}`, `Remove the reason. ${how}`);
  if (drillError !== null) {
    const when = durationText(drilledSeconds!);
    return failed(`The drill ${when} ago failed: ${drillError}`, 'Make a backup, and run "assay backup drill" again.');
  }
  if (ageSeconds === null) return warning('There is no backup yet.', `${how} "assay backup FOLDER" makes one now.`);
  const drilled =
    drilledSeconds === null
      ? 'None was restored for a trial yet ("assay backup drill").'
      : `One was restored for a trial ${durationText(drilledSeconds)} ago.`;
  const summary = `The newest backup is ${durationText(ageSeconds)} old (${directory}). ${drilled}`;
  if (ageSeconds < 1.5 * daySeconds) return ok(summary);
  const action = `${how} The log of the workers says why there is no newer one.`;
  return ageSeconds < 7 * daySeconds ? warning(summary, action) : failed(summary, action);
}
