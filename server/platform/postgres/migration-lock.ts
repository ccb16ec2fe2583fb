import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.ts';

export type MigrationLock = { log: Log | undefined; maxWaitMs: number | undefined };

const key = `hashtext('assay migrations')::bigint`;
const defaultMaxWaitMs = 10 * 60_000;
const lookAgainMs = 200;
const logAgainMs = 30_000;

/** Describes the connection that has the lock, if this login can read it. */
async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; since: string }>(
    `SELECT a.pid, a.application_name AS application, to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS since
       FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND (l.classid::bigint << 32 | l.objid::bigint) = ${key} LIMIT 1`,
  );
  const [holder] = rows;
  return holder
    ? `the connection of process ${holder.pid} ("${holder.application}", connected ${holder.since} UTC)`
    : 'another connection';
}

async function waitForLock(client: pg.Client, { log, maxWaitMs = defaultMaxWaitMs }: MigrationLock): Promise<void> {
  const begin = performance.now();
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    await client.query('BEGIN');
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${key}) AS taken`);
    if (rows[0]!.taken) return;
    const waitedMs = performance.now() - begin;
    const isLate = waitedMs > maxWaitMs;
    const holder = isLate || waitedMs - loggedAt > logAgainMs ? await describeHolder(client) : '';
    await client.query('ROLLBACK');
    if (isLate) {
      throw new Error(
        `The schema is still locked after ${Math.round(waitedMs / 1000)} s by ${holder}: another node is migrating it, or ` +
          'died and left its connection behind. Start again when that node is done, or end the connection with pg_terminate_backend.',
      );
    }
    if (holder) {
      loggedAt = waitedMs;
      log?.info({ holder, maxWaitMs }, 'Another node is migrating the database. Waiting until it is done.');
    }
    await delay(lookAgainMs);
  }
}

/**
 * Runs one step of a migration in a transaction, while no other node runs one. The lock ends with the transaction: a
 * session-level lock would remain on a pooler's connection.
 */
export async function underMigrationLock<T>(
  client: pg.Client,
  lock: MigrationLock,
  step: () => Promise<T>,
): Promise<T> {
  await waitForLock(client, lock);
  try {
    await client.query(`SET LOCAL search_path = public; SET LOCAL jit = off; SET LOCAL statement_timeout = 0;
      SET LOCAL idle_in_transaction_session_timeout = 0`);
    const result = await step();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
