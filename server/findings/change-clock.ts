import type { Log } from '../platform/log.ts';
import { type Instruments, single } from '../platform/metrics.ts';
import { keepReadings } from '../platform/monitoring/kept-readings.ts';
import { inEachCell } from '../platform/postgres/cells/cell-database.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { setLocal } from '../platform/postgres/statement.ts';

/**
 * The class of the advisory locks for changes: "find" on a phone keypad. It fills the upper 16 bits of a lock's key.
 */
const lockClass = 3463;

/**
 * The class of the advisory locks that keep changes of an organization, and the readers that follow them, apart from a
 * repair of change times.
 */
const orderLockClass = 3464;

const orderLock = (orgId: string, kind: '' | '_shared') => ({
  name: `findings_lock_order${kind}`,
  text: `SELECT pg_advisory_xact_lock${kind}((${orderLockClass}::bigint << 48) | (hashtextextended($1, 0) & 281474976710655))`,
  values: [orgId],
});

/**
 * Waits until no change is in progress and blocks new ones until the transaction ends, for a repair of change times.
 */
export async function lockOrder(tx: Db, orgId: string): Promise<void> {
  await tx.query(orderLock(orgId, ''));
}

/** The time of a change: `at` for the database (microseconds), `ms` since the epoch for rules. */
export type ChangeTime = { at: string; ms: number };

/**
 * Just after the organization's newest change and after every day whose figures were read as past. Change times never
 * go back, even when the clock is set back: otherwise followers would miss every change until the clock has caught up.
 * Costs one lookup at the end of an index.
 */
const newestChange = `SELECT GREATEST(max(updated_at) + interval '1 microsecond',
    (SELECT (through + 1)::timestamp AT TIME ZONE 'UTC' FROM finding_seals WHERE org_id = $1)) AS at
  FROM findings WHERE org_id = $1`;

/**
 * Starts a change of findings and returns its time. It is the first statement of every transaction that writes
 * `updated_at`.
 *
 * Followers read in the order of `updated_at`. A transaction that commits late must not insert a row behind their
 * position, so each change holds a shared advisory lock until it ends. The lock's key is the time (in units of 100 µs)
 * from which its changes count. The time of the change is read after the lock is acquired: a reader that saw no lock
 * has an earlier horizon than any change under it.
 */
export async function beginChange(tx: Db, orgId: string): Promise<ChangeTime> {
  const shared = tx.query(orderLock(orgId, '_shared'));
  const change = tx.query<{ at: string; ms: number }>({
    name: 'findings_begin_change',
    text: `SELECT now.at::text AS at, (extract(epoch FROM now.at) * 1000)::float8 AS ms
           FROM (${newestChange}) AS newest,
                LATERAL (SELECT pg_advisory_xact_lock_shared((${lockClass}::bigint << 48)
                          | (extract(epoch FROM GREATEST(clock_timestamp(), newest.at)) * 10000)::bigint - 1)) AS held,
                LATERAL (SELECT GREATEST(clock_timestamp(), newest.at) AS at WHERE held IS NOT NULL) AS now`,
    values: [orgId],
  });
  // Sent first, in the same round trip, so that the newest change is not read while a repair moves it.
  const [, { rows }] = await Promise.all([shared, change]);
  const [row] = rows;
  return { at: row!.at, ms: Math.floor(row!.ms) };
}

/** The time of the oldest change in progress; null if there is none. */
const oldestChange = `(SELECT to_timestamp(min(((classid::bigint & 65535) << 32) | objid::bigint) / 10000.0)
           FROM pg_locks
           WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = ${lockClass}
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const changeHorizon = `LEAST(GREATEST(clock_timestamp(), (${newestChange})), ${oldestChange})`;

const horizonOfPrimary = (orgId: string) => ({
  name: 'findings_find_change_horizon',
  text: `SELECT ${changeHorizon}::text AS horizon`,
  values: [orgId],
});

/** The organizations whose days this process failed to seal in its last attempt. */
const unsealed = new WeakMap<Database, Set<string>>();

function unsealedOf(database: Database): Set<string> {
  const known = unsealed.get(database) ?? new Set();
  unsealed.set(database, known);
  return known;
}

/**
 * Seals past days (UTC), so that their figures never change again: no later change gets a time on them. A day is past
 * once every change that started on it has committed; until then it is the present day (`presentDay`). Call this before
 * reading figures about the past. On failure, for example with a full disk, days sealed earlier stay correct; `log`
 * gets one warning until all days are sealed again.
 */
export async function sealDays(database: Database, orgId: string, log: Pick<Log, 'warn'>): Promise<void> {
  const failing = unsealedOf(database);
  try {
    await moveSeal(database, orgId);
    failing.delete(orgId);
  } catch (err) {
    if (failing.size === 0)
      log.warn(
        { err },
        'A past day could not be sealed. Until it can, the present day starts after the last sealed one.',
      );
    failing.add(orgId);
  }
}

async function moveSeal(database: Database, orgId: string): Promise<void> {
  const [row] = await database.single<{ sealed: boolean }>(orgId, {
    name: 'finding_seals_check',
    text: `SELECT EXISTS (SELECT FROM finding_seals
               WHERE org_id = $1 AND through >= (clock_timestamp() AT TIME ZONE 'UTC')::date - 1) AS sealed`,
    values: [orgId],
  });
  if (row!.sealed) return;
  await database.transaction(orgId, async (tx) => {
    await tx.query(orderLock(orgId, '_shared'));
    await tx.query({
      name: 'finding_seals_move',
      text: `INSERT INTO finding_seals AS s (org_id, through) SELECT $1, (${changeHorizon} AT TIME ZONE 'UTC')::date - 1
               ON CONFLICT (org_id) DO UPDATE SET through = excluded.through WHERE s.through < excluded.through`,
      values: [orgId],
    });
  });
}

/** SQL of the present day: the day after the last sealed one, as far as this view of the database shows it. */
export const presentDay = `COALESCE((SELECT through + 1 FROM finding_seals WHERE org_id = $1), (now() AT TIME ZONE 'UTC')::date)`;

/**
 * The horizon of all organizations, for replicas. It is read on the primary, where the locks are, together with a WAL
 * position. A replica that has replayed that position has every change before the horizon.
 */
export const readChangeHorizon = {
  name: 'findings_read_change_horizon',
  text: `SELECT LEAST(clock_timestamp(), ${oldestChange})::text AS mark`,
};

/** If the primary's clock was set back and changes are newer than its horizon, a replica would show them late. */
const maxLate = '5 seconds';

const latenessOfReplica = (orgId: string, mark: string) => ({
  name: 'findings_find_lateness',
  text: `SELECT COALESCE((${newestChange}) > $2::timestamptz + interval '${maxLate}', false) AS "isLate"`,
  values: [orgId, mark],
});

/**
 * Stores the horizon in the setting `app.changes_before` and returns it: every change before it has committed or never
 * will. Call it before the statement that reads findings, which needs the later snapshot. On a replica it is a horizon
 * of the primary that the replica has replayed; throws if that is too old.
 */
export async function setChangeHorizon(tx: Db, orgId: string): Promise<string> {
  let horizon = tx.replayed;
  if (horizon === undefined) {
    const shared = tx.query(orderLock(orgId, '_shared'));
    const [, { rows }] = await Promise.all([shared, tx.query<{ horizon: string }>(horizonOfPrimary(orgId))]);
    horizon = rows[0]!.horizon;
  } else {
    const { rows } = await tx.query<{ isLate: boolean }>(latenessOfReplica(orgId, horizon));
    if (rows[0]!.isLate) throw new Error('The replica has changes that are much newer than its horizon.');
  }
  // Sent together with the next statement, which fails if this one does.
  tx.query(setLocal({ 'app.changes_before': horizon })).catch(() => {});
  return horizon;
}

/**
 * Returns a time after every change so far, on the clock of changes: a scan that starts now sees a newer state than any
 * of them. While the database's clock is behind because it was set back, the returned time is ahead of it, like the
 * change times.
 */
export async function readChangeClock(tx: Db, orgId: string): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>({
    name: 'findings_read_change_clock',
    text: `SELECT GREATEST(clock_timestamp(), newest.at + interval '1 millisecond') AS at FROM (${newestChange}) AS newest`,
    values: [orgId],
  });
  return rows[0]!.at;
}

type Ahead = { orgId: string; seconds: number };

/** Lists the organizations whose newest change is more than a minute ahead of the clock, furthest ahead first. */
export async function listChangesAhead(database: Database): Promise<Ahead[]> {
  const lists = await inEachCell(database, (cell) =>
    cell.single<Ahead>(null, {
      name: 'findings_list_changes_ahead',
      text: 'SELECT org_id AS "orgId", seconds FROM list_changes_ahead()',
    }),
  );
  return lists.flat().sort((a, b) => b.seconds - a.seconds);
}

/**
 * Reports a clock that was ahead and has been set back. Changes keep their order, so until the clock has caught up,
 * every new finding and change gets nearly the same future time.
 */
export async function reportChangesAhead({ database, log }: { database: Database; log: Log }): Promise<void> {
  const ahead = await listChangesAhead(database);
  const [furthest] = ahead;
  if (!furthest) return;
  log.warn(
    { organizations: ahead.length, furthest: furthest.orgId, seconds: Math.round(furthest.seconds) },
    'The newest changes of findings are ahead of the database clock, which was ahead and has been set back: until it has caught up, new findings and changes get times just after them. Make sure that clocks are synchronised, then run "assay repair clock".',
  );
}

/** Adds a metric of how far the newest changes are ahead of the clock. */
export function addChangesAhead(metrics: Instruments, database: Database): void {
  const read = keepReadings(() => listChangesAhead(database));
  metrics.gauge(
    'changes_ahead_seconds',
    "How far the newest change of a finding is ahead of the database's clock, above a minute; 0 when none is. It was ahead and has been set back.",
    [],
    async () => [{ labels: {}, value: (await read())[0]?.seconds ?? 0 }],
  );
}

/** Adds a metric of the organizations whose days could not be sealed. */
export function addUnsealed(metrics: Instruments, database: Database): void {
  metrics.gauge(
    'unsealed_organizations',
    'Organizations whose past days this process failed to seal at its last attempt: their figures may still change.',
    [],
    async () => single(unsealedOf(database).size),
  );
}
