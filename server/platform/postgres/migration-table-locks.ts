import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from '../errors.ts';
import type { MigrationLock } from './migration-lock.ts';
import { listDropping, lockedRelations, lockModes, splitStatements } from './migration-statements.ts';

/** The wait for the first table, before the migration has any lock. Writes to the table are blocked for as long. */
const firstLockMs = 2_000;
/**
 * The wait for all further locks: less than PostgreSQL's `deadlock_timeout` (1 s), so that other sessions never lose
 * a deadlock.
 */
const furtherLocksMs = 600;
const defaultMaxWaitMs = 10 * 60_000;
const logAgainMs = 10_000;

/** A migration that did not get its locks in time. It changed nothing and can be repeated. */
export class Blocked extends Error {
  readonly tables: string[];
  /** The table that was in use. */
  readonly table: string | undefined;

  constructor(tables: string[], table: string | undefined, cause: unknown) {
    super('The tables are in use.', { cause });
    this.tables = tables;
    this.table = table;
  }
}

const isBlocked = (error: unknown) => ['55P03', '40P01'].includes(errorCode(error) ?? '');

/** Returns the existing tables that statements lock, with the strongest mode of each. */
export async function listLocks(
  client: pg.Client,
  statements: string[],
): Promise<{ table: string; mode: (typeof lockModes)[number] }[]> {
  const wanted = lockedRelations(statements);
  const { rows } = await client.query<{ table: string; rank: number }>(
    `SELECT c.relname AS table, max(l.rank) AS rank FROM (
         SELECT coalesce(i.indrelid, r.oid) AS oid, w.rank
         FROM unnest($1::text[], $2::int[]) AS w(name, rank)
         JOIN pg_class r ON r.relnamespace = 'public'::regnamespace AND r.relname = w.name
         LEFT JOIN pg_index i ON i.indexrelid = r.oid
         UNION ALL
         SELECT k.confrelid, $4 FROM pg_class r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'f'
         WHERE r.relnamespace = 'public'::regnamespace AND r.relname = ANY ($3::text[])) l
       JOIN pg_class c ON c.oid = l.oid AND c.relkind IN ('r', 'p')
      GROUP BY c.relname ORDER BY c.relname`,
    [
      wanted.map(({ name }) => name),
      wanted.map(({ mode }) => lockModes.indexOf(mode)),
      listDropping(statements),
      lockModes.length - 1,
    ],
  );
  return rows.map(({ table, rank }) => ({ table, mode: lockModes[rank]! }));
}

/**
 * Runs statements in the open transaction. It takes the strongest lock of each table first, since upgrading a lock
 * while others write ends in a deadlock. `first` is the table to lock first. Throws Blocked when a table stays in
 * use.
 */
export async function runLocked(client: pg.Client, sql: string, first: string | undefined): Promise<void> {
  const locks = await listLocks(client, splitStatements(sql));
  locks.sort((a, b) => Number(b.table === first) - Number(a.table === first));
  let waitsFor: string | undefined;
  let deadline: number | null = null;
  try {
    for (const { table, mode } of locks) {
      waitsFor = table;
      const ms = deadline === null ? firstLockMs : Math.max(1, Math.round(deadline - performance.now()));
      await client.query(`SET LOCAL lock_timeout = ${ms}; LOCK TABLE public.${table} IN ${mode} MODE`);
      deadline ??= performance.now() + furtherLocksMs;
    }
    waitsFor = undefined;
    await client.query(`SET LOCAL lock_timeout = ${furtherLocksMs}`);
    await client.query(sql);
  } catch (error) {
    const tables = locks.map(({ table }) => table);
    throw isBlocked(error) ? new Blocked(tables, waitsFor, error) : error;
  }
}

/** Describes the session with the longest transaction on the tables, if this login can read it. */
async function describeUser(client: pg.Client, tables: string[]): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; state: string; seconds: number }>(
    `SELECT a.pid, a.application_name AS application, a.state,
            round(extract(epoch FROM clock_timestamp() - a.xact_start))::int AS seconds
       FROM pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relname = ANY ($1)
       JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.granted AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
      ORDER BY a.xact_start LIMIT 1`,
    [tables],
  );
  const [user] = rows;
  return user
    ? `process ${user.pid} ("${user.application}", ${user.state}, in a transaction for ${user.seconds} s)`
    : 'short transactions of other sessions';
}

/**
 * Retries a Blocked run, with growing pauses in which waiting writes continue. The table that was in use is locked
 * first: sessions that lock it before other tables then wait for the migration, and soon release those.
 */
export async function untilUnblocked<T>(
  client: pg.Client,
  lock: MigrationLock,
  run: (first: string | undefined) => Promise<T>,
): Promise<T> {
  const begin = performance.now();
  let first: string | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 1.5, 5_000)) {
    try {
      return await run(first);
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      first = error.table ?? first;
      const waitedMs = performance.now() - begin;
      const isLate = waitedMs > (lock.maxWaitMs ?? defaultMaxWaitMs);
      const user = isLate || waitedMs - loggedAt > logAgainMs ? await describeUser(client, error.tables) : '';
      if (isLate) {
        throw new Error(
          `A migration could not lock ${error.tables.join(', ')} within ${Math.round(waitedMs / 1000)} s: in use by ${user}. ` +
            'Nothing was changed. End that session with pg_terminate_backend, or wait until it is done, and start again.',
          { cause: error.cause },
        );
      }
      if (user) {
        loggedAt = waitedMs;
        lock.log?.info(
          { tables: error.tables, user },
          'A migration waits for tables that are in use, and tries again.',
        );
      }
      await delay(pauseMs * (0.75 + Math.random() / 2));
    }
  }
}
