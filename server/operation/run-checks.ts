import { findFeedAges, maxFeedDays } from '../detection/advisories/feed-ages.ts';
import { listChangesAhead } from '../findings/change-clock.ts';
import { findBackupState } from '../platform/backup/backup-records.ts';
import { jobFigures, listFailingJobs, sumFigures } from '../platform/jobs/job-queries.ts';
import { checkRole, describeRole, type RoleFacts } from '../platform/postgres/application-role.ts';
import { inEachCell } from '../platform/postgres/cells/cell-database.ts';
import type { Database } from '../platform/postgres/database.ts';
import { findChanged, readMigrations } from '../platform/postgres/migrate.ts';
import { listSizes } from '../platform/room/directory-size.ts';
import { listDisks } from '../platform/room/disk-reports.ts';
import { roomStateOf, type Space, sizeText } from '../platform/room/space.ts';
import { findOverdue } from '../schedules/due-queries.ts';
import {
  type Check,
  type CheckInput,
  type CheckName,
  durationText,
  failed,
  type Outcome,
  ok,
  warning,
} from './check.ts';
import { checkReplicas } from './check-replicas.ts';

const daySeconds = 86_400;

/** Lists the largest parts of a data directory. */
async function filledBy(directory: string): Promise<string> {
  const largest = (await listSizes(directory)).slice(0, 4);
  return largest.map(({ name, bytes }) => `${name} ${sizeText(bytes)}`).join(', ');
}

/** Checks the free disk space on this machine, and the space that workers have reported. */
async function checkRoom({ database, room }: CheckInput): Promise<Outcome> {
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

/** Checks whether a clock that is correct now was ahead before. */
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

/** Compares this machine's clock with the database's clock, and with the times of stored changes. */
async function checkClock({ database }: CheckInput): Promise<Outcome> {
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
async function checkBackups({ database, backups }: CheckInput): Promise<Outcome> {
  const { ageSeconds, directory, lastError, drilledSeconds, drillError } = await database.transaction(
    null,
    findBackupState,
  );
  const how = backups ? `Backups are made into ${backups.directory}.` : 'Set ASSAY_BACKUP_DIR for one each day.';
  if (lastError !== null) return failed(`The last backup failed: ${lastError}`, `Fix the cause. ${how}`);
  if (drillError !== null) {
    const when = durationText(drilledSeconds!);
    return failed(`The drill ${when} ago failed: ${drillError}`, 'Make a backup, and run "assay backup drill" again.');
  }
  if (ageSeconds === null) return warning('There is no backup yet.', `${how} "assay backup FOLDER" makes one now.`);
  const drilled =
    drilledSeconds === null
      ? 'None was test-restored yet ("assay backup drill").'
      : `One was test-restored ${durationText(drilledSeconds)} ago.`;
  const summary = `The newest backup is ${durationText(ageSeconds)} old (${directory}). ${drilled}`;
  if (ageSeconds < 1.5 * daySeconds) return ok(summary);
  const action = `${how} The log of the workers says why there is no newer one.`;
  return ageSeconds < 7 * daySeconds ? warning(summary, action) : failed(summary, action);
}

const maxWaitSeconds = 900;
const maxSilenceSeconds = 60;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Checks that a worker runs, that jobs don't wait long, and that none fails repeatedly. */
async function checkJobs({ database }: CheckInput): Promise<Outcome> {
  const { jobs, oldestWaitingSeconds, heartbeatAgeSeconds } = sumFigures(
    await inEachCell(database, ({ pool }) => jobFigures(pool)),
  );
  const start = 'Start "assay start" or "assay work", and look at its log.';
  if (heartbeatAgeSeconds === null) return failed('No worker has ever run.', start);
  if (heartbeatAgeSeconds > maxSilenceSeconds)
    return failed(`No worker has been heard from for ${durationText(heartbeatAgeSeconds)}.`, start);
  const failing = (await inEachCell(database, ({ pool }) => listFailingJobs(pool))).flat();
  if (failing.length > 0) {
    const names = failing.map(({ job, count }) => `${job} (${count})`).join(', ');
    return warning(`Jobs fail and are tried again: ${names}.`, 'The log of the workers says why ("A job failed").');
  }
  const total = jobs.reduce((sum, { count }) => sum + count, 0);
  const summary = `${counted(total, 'job')} waiting or running.`;
  if (oldestWaitingSeconds === null || oldestWaitingSeconds < maxWaitSeconds) return ok(summary);
  return warning(
    `A job has waited for ${durationText(oldestWaitingSeconds)}. ${summary}`,
    'Start another worker, on the same machine if processors are idle.',
  );
}

/** Checks that schedules run when they are due. */
async function checkSchedules({ database }: CheckInput): Promise<Outcome> {
  const found = await inEachCell(database, (cell) => cell.transaction(null, findOverdue));
  const overdue = found.reduce((sum, cell) => sum + cell.overdue, 0);
  const oldestSeconds = Math.max(...found.map((cell) => cell.oldestSeconds ?? 0));
  if (overdue === 0) return ok('No schedule is overdue.');
  const verb = overdue === 1 ? 'is' : 'are';
  return failed(
    `${counted(overdue, 'schedule')} ${verb} overdue, the oldest for ${durationText(oldestSeconds)}.`,
    'Workers start what is due every few seconds: look at their log, and at the check of jobs.',
  );
}

/** Checks the age of the vulnerability data. */
async function checkFeeds({ database, feeds }: CheckInput): Promise<Outcome> {
  const ages = await database.transaction(null, findFeedAges);
  const isSetUp = feeds.advisories !== null || feeds.epss !== null || feeds.kev !== null;
  const setUp = 'Set ASSAY_ADVISORIES, or run "assay advisories sync --from DIR|URL".';
  if (ages.length === 0) {
    return isSetUp
      ? failed('A feed is set up, and nothing of it was loaded yet.', 'The log of the workers says why.')
      : warning('No advisories are loaded: dependencies are not matched with vulnerabilities.', setUp);
  }
  const summary = ages.map(({ feed, ageSeconds }) => `${feed}: ${durationText(ageSeconds)} ago`).join(', ');
  const isOld = ages.some(({ ageSeconds }) => ageSeconds > maxFeedDays * 86_400);
  if (!isOld) return ok(`Changed and loaded last: ${summary}.`);
  return warning(
    `The loaded feeds are old: ${summary}.`,
    isSetUp ? 'The log of the workers says why nothing newer was loaded.' : setUp,
  );
}

const checks: Array<[CheckName, (input: CheckInput) => Promise<Outcome>]> = [
  ['room', checkRoom],
  ['clock', checkClock],
  ['backup', checkBackups],
  ['jobs', checkJobs],
  ['schedules', checkSchedules],
  ['schema', checkSchema],
  ['roles', checkRoles],
  ['replicas', checkReplicas],
  ['feeds', checkFeeds],
];

async function checkDatabase({ database }: CheckInput): Promise<Outcome> {
  await database.single(null, { name: 'doctor_ping', text: 'SELECT 1' });
  return ok('The database responds.');
}

/** Runs every check, one after the other. `explain` returns the part of an unexpected error that the reader may see. */
export async function runChecks(input: CheckInput, explain: (error: unknown) => string): Promise<Check[]> {
  const run = async (name: CheckName, check: (input: CheckInput) => Promise<Outcome>): Promise<Check> => {
    const outcome = await check(input).catch((error) =>
      failed(`This could not be checked: ${explain(error)}`, 'Fix the cause and check again.'),
    );
    return { name, ...outcome };
  };
  const results = [await run('database', checkDatabase)];
  for (const [name, check] of checks) results.push(await run(name, check));
  return results;
}

/**
 * Returns the checks of an installation whose database is unavailable; apart from that, only disk space can be checked.
 */
export async function checksWithout(reason: string, action: string, input: Pick<CheckInput, 'room'>): Promise<Check[]> {
  const away = { transaction: () => Promise.reject(new Error(reason)) } as unknown as CheckInput['database'];
  const room = await checkRoom({ ...input, database: away } as CheckInput);
  return [
    { name: 'database', ...failed(`The database can't be reached: ${reason}`, action) },
    { name: 'room', ...room },
  ];
}

/** Checks that the schema is that of this release. */
async function checkSchema({ database }: CheckInput): Promise<Outcome> {
  const known = await readMigrations();
  const applied = await database.single<{ version: number; name: string; checksum: string }>(null, {
    name: 'doctor_migrations',
    text: 'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  });
  const changed = findChanged(applied, known);
  if (changed)
    return failed(
      `Migration ${changed.version} (${changed.name}) of the schema differs from that of this release: a version before 0.1.0 created it.`,
      'Run that version, or start with an empty database.',
    );
  const newest = known.at(-1)!;
  const missing = known.filter(({ version }) => !applied.some((migration) => migration.version === version));
  if (missing.length > 0)
    return failed(
      `The schema lacks ${missing.length} of ${known.length} migrations, the first is ${missing[0]!.name}.`,
      'Run "assay migrate", or restart Assay.',
    );
  if (applied.at(-1)!.version > newest.version)
    return failed(
      `The schema is that of a newer release (${applied.at(-1)!.name}).`,
      'Install that release: an older one refuses to start on it.',
    );
  return ok(`The schema is that of this release (${newest.name}).`);
}

/** Checks that row-level security separates organizations: the role is subject to it, and every table has it. */
async function checkRoles({ database }: CheckInput): Promise<Outcome> {
  const facts = await database.single<RoleFacts>(null, { name: 'doctor_role', text: describeRole });
  try {
    checkRole(facts[0]!);
  } catch (error) {
    return failed((error as Error).message, 'Assay does not use the database until this is fixed.');
  }
  const open = await database.single<{ name: string }>(null, {
    name: 'doctor_open_tables',
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND NOT a.attisdropped AND NOT c.relrowsecurity ORDER BY 1`,
  });
  if (open.length > 0) {
    const names = open.map(({ name }) => name);
    return failed(
      `Row-level security is off for ${names.join(', ')}.`,
      `As the owner: ALTER TABLE ${names[0]} ENABLE ROW LEVEL SECURITY, and the same for each of the others.`,
    );
  }
  return ok('Row-level security separates the organizations: it applies to the service and to every table of theirs.');
}
