import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../platform/postgres/database.ts';
import { type CheckInput, durationText, type Outcome, ok, warning } from './check.ts';

const timeoutMs = 3_000;
/** A standby that follows normally has everything from the primary much sooner. */
const catchesUpWithinMs = 2_000;

/** A sentence without its subject, and what to do. */
type Problem = { summary: string; action: string };

type State = {
  isStandby: boolean;
  isConnected: boolean;
  isPaused: boolean;
  isBehind: boolean;
  /** The age of the last replayed transaction; null if there is none since the start. */
  seconds: number | null;
};

const disconnected =
  'Look at its log and at primary_conninfo there. When the primary no longer has the log that it needs, create it again with pg_basebackup.';

async function findState(client: pg.Client, position: string): Promise<State> {
  const { rows } = await client.query<State>(
    `SELECT pg_is_in_recovery() AS "isStandby", EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isConnected",
       pg_is_in_recovery() AND pg_is_wal_replay_paused() AS "isPaused",
       coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) > 0, false) AS "isBehind",
       extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS seconds`,
    [position],
  );
  return rows[0]!;
}

/** Returns the reason why a replica does not follow the primary, which was at `position`; null if it does. */
async function findProblem(url: string, position: string, maxLagMs: number): Promise<Problem | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'assay doctor',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const state = await findState(client, position);
    if (!state.isStandby)
      return { summary: 'is not a standby', action: 'Name streaming replicas of DATABASE_URL in DATABASE_READ_URL.' };
    if (state.isPaused)
      return { summary: 'has paused its replay', action: 'Run "SELECT pg_wal_replay_resume()" there as a superuser.' };
    if (!state.isConnected) return { summary: 'is not connected to the primary', action: disconnected };
    if (!state.isBehind || (state.seconds ?? Number.POSITIVE_INFINITY) * 1000 <= maxLagMs) return null;
    // After a quiet hour its last transaction is an hour old, however quickly it replays the next one.
    const until = performance.now() + catchesUpWithinMs;
    let last = state;
    while (last.isBehind && performance.now() < until) {
      await delay(100);
      last = await findState(client, position);
    }
    if (!last.isBehind) return null;
    return {
      summary: last.seconds === null ? 'is behind' : `is ${durationText(last.seconds)} behind`,
      action: 'Look at its disk and its processor, and for long queries there, which hold up the replay.',
    };
  } catch {
    return { summary: 'does not respond', action: 'Look at its log and at the network to it.' };
  } finally {
    await client.end().catch(() => {});
  }
}

type Slot = { name: string; isLost: boolean; gigabytes: number };

/**
 * Returns a problem for each replication slot without a connected standby: the primary keeps WAL for it until its disk
 * is full. "assay cell check" looks at those of cells.
 */
async function findSlotProblems(database: Database): Promise<Problem[]> {
  const slots = await database.single<Slot>(null, {
    name: 'doctor_slots',
    text: `SELECT slot_name AS name, wal_status = 'lost' AS "isLost",
             coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 / 1e9 AS gigabytes
           FROM pg_replication_slots WHERE NOT active AND slot_name !~ '^assay_[0-9]+_' AND (restart_lsn IS NOT NULL OR wal_status = 'lost') ORDER BY slot_name`,
  });
  return slots.map(({ name, isLost, gigabytes }) => {
    const drop = `run "SELECT pg_drop_replication_slot('${name}')" on the primary`;
    const subject = `the standby of the replication slot ${name} is disconnected`;
    if (isLost)
      return {
        summary: `${subject}, and the primary no longer has the log that it needs`,
        action: `Create it again with pg_basebackup, or ${drop}.`,
      };
    return {
      summary: `${subject}, and the primary keeps ${gigabytes.toFixed(1)} GB of its log for it`,
      action: `Start it again, or ${drop}: otherwise the log fills the disk of the primary.`,
    };
  });
}

/**
 * Checks that each replica is a standby that follows closely enough to be read from, and that no other standby is
 * disconnected.
 */
export async function checkReplicas({ database, replicas: { urls, maxLagMs } }: CheckInput): Promise<Outcome> {
  const problems: Problem[] = [];
  if (urls.length > 0) {
    const rows = await database.single<{ position: string }>(null, {
      name: 'doctor_position',
      text: 'SELECT pg_current_wal_lsn()::text AS position',
    });
    const found = await Promise.all(urls.map((url) => findProblem(url, rows[0]!.position, maxLagMs)));
    for (const [index, problem] of found.entries()) {
      if (problem) problems.push({ ...problem, summary: `${new URL(urls[index]!).host} ${problem.summary}` });
    }
    if (problems.length > 0) problems.at(-1)!.action += ' The primary serves its reads meanwhile.';
  }
  problems.push(...(await findSlotProblems(database)));
  if (problems.length > 0) {
    const summary = problems.map((problem) => problem.summary).join('; ');
    const actions = [...new Set(problems.map(({ action }) => action))].join(' ');
    return warning(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`, actions);
  }
  if (urls.length === 0) return ok('There are no replicas.');
  return ok(`${urls.length} of ${urls.length} replicas follow.`);
}
