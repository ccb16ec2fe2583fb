import pg from 'pg';
import { type MigrationLock, underMigrationLock } from './migration-lock.ts';
import { type Migration, runsOutside, splitStatements } from './migration-statements.ts';
import { Blocked, runLocked, untilUnblocked } from './migration-table-locks.ts';

const logAgainMs = 10_000;

export type MigrationRun = {
  /** A connection as the owner of the schema. */
  client: pg.Client;
  adminUrl: string;
  lock: MigrationLock;
  /** Returns the migration to apply, called under the lock; undefined when none is left. */
  nextOf(): Promise<Migration | undefined>;
};

const concurrently =
  /^(?:create\s+(?:unique\s+)?index|drop\s+index|reindex\s+\w+)\s+concurrently\s+(?:if\s+(?:not\s+)?exists\s+)?(\w+)/i;

/** Returns whether an index exists, and drops one that a killed CREATE INDEX CONCURRENTLY left unfinished. */
async function hasIndex(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT i.indisvalid AND i.indisready AS valid FROM pg_index i WHERE i.indexrelid = to_regclass('public.' || $1)`,
    [name],
  );
  if (rows.length === 0) return false;
  if (!rows[0]!.valid) await client.query(`DROP INDEX CONCURRENTLY public.${name}`);
  return rows[0]!.valid;
}

/** Runs a statement that waits for other sessions without blocking them, and logs which session it waits for. */
async function runConcurrently(run: MigrationRun, worker: pg.Client, pid: number, text: string): Promise<void> {
  const [, name] = concurrently.exec(text)!;
  if (/^create/i.test(text) && (await hasIndex(worker, name!))) return;
  const watch = setInterval(async () => {
    const { rows } = await run.client
      .query<{ pid: number; application: string }>(
        'SELECT pid, application_name AS application FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1))',
        [pid],
      )
      .catch(() => ({ rows: [] }));
    if (rows.length > 0)
      run.lock.log?.info({ statement: text, waitsFor: rows }, 'A migration waits for older transactions.');
  }, logAgainMs);
  try {
    await worker.query(text);
  } finally {
    clearInterval(watch);
  }
}

/**
 * Runs the statements of a migration one by one on a separate connection, while the migration's transaction holds
 * only the migration lock. After a kill all of them run again.
 */
async function runOutside(run: MigrationRun, sql: string): Promise<void> {
  const worker = new pg.Client({ connectionString: run.adminUrl, application_name: 'assay migrate' });
  worker.on('error', () => {});
  await worker.connect();
  try {
    const { rows } = await worker.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    for (const text of splitStatements(sql)) {
      if (concurrently.test(text)) await runConcurrently(run, worker, rows[0]!.pid, text);
      else
        await untilUnblocked(worker, run.lock, (first) => inTransaction(worker, () => runLocked(worker, text, first)));
    }
  } finally {
    await worker.end();
  }
}

async function inTransaction(client: pg.Client, run: () => Promise<void>): Promise<void> {
  await client.query('BEGIN; SET LOCAL search_path = public; SET LOCAL jit = off; SET LOCAL statement_timeout = 0');
  try {
    await run();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function apply(
  run: MigrationRun,
  { version, name, checksum, sql }: Migration,
  first: string | undefined,
): Promise<string> {
  const { client } = run;
  const outside = runsOutside(sql);
  try {
    await (outside ? runOutside(run, sql) : runLocked(client, sql, first));
    const text = 'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)';
    await client.query(text, [version, name, checksum]);
    return name;
  } catch (cause) {
    if (cause instanceof Blocked) throw cause;
    const { message, position } = cause as pg.DatabaseError;
    const line = position && !outside ? `, line ${sql.slice(0, Number(position)).split('\n').length}` : '';
    const state = outside ? 'failed, and will run again' : 'failed and was undone';
    throw new Error(`Migration ${version} (${name})${line} ${state}: ${message}`, { cause });
  }
}

/** Applies the next migration and returns its name; null when none is left. Waits for tables that are in use. */
export function applyNext(run: MigrationRun): Promise<string | null> {
  return untilUnblocked(run.client, run.lock, (first) =>
    underMigrationLock(run.client, run.lock, async () => {
      const migration = await run.nextOf();
      return migration ? apply(run, migration, first) : null;
    }),
  );
}
