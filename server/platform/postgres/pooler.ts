import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { errorCode } from '../errors.ts';

/**
 * SQLSTATEs of a prepared statement that does not exist, and of one that another client has created under the same
 * name.
 */
const lostStatement = ['26000', '42P05'];

/** The known properties of a pooler, shared by all connections through it. */
export type Pooler = { keepsPreparedStatements: boolean };

const poolers = new Map<string, Promise<Pooler>>();

/**
 * Returns whether the pooler at an address supports prepared statements. PgBouncer does when it assigns connections
 * by session, or from 1.21 on with `max_prepared_statements` above 0. The result is found by a test; without support,
 * every statement is planned each time.
 */
export function inspectPooler(connectionString: string): Promise<Pooler> {
  let pooler = poolers.get(connectionString);
  if (!pooler) {
    pooler = tryPreparedStatements(connectionString).then(
      (keepsPreparedStatements) => ({ keepsPreparedStatements }),
      (error: unknown) => {
        poolers.delete(connectionString);
        throw error;
      },
    );
    poolers.set(connectionString, pooler);
  }
  return pooler;
}

/**
 * Returns whether a statement failed because the pooler lost it, for example when it was restarted with another
 * configuration.
 */
export const isLostStatement = (error: unknown) => lostStatement.includes(errorCode(error) ?? '');

const pause = 2_000;

const pidOf = (result: pg.QueryResult<{ pid: number }>) => result.rows[0]!.pid;

/**
 * Prepares a statement, occupies its server connection through another client, and runs the statement again. It then
 * runs on a connection without the prepared statement, unless each client has its own connection.
 */
async function tryPreparedStatements(connectionString: string): Promise<boolean> {
  const open = () => new pg.Client({ connectionString, connectionTimeoutMillis: pause, query_timeout: pause });
  const [client, occupant] = [open(), open()];
  for (const each of [client, occupant]) each.on('error', () => {});
  // The name is unique: the server keeps the statements of earlier probes, so a reused name would always seem to
  // work.
  const namePid = { name: `assay_probe_${randomUUID()}`, text: 'SELECT pg_backend_pid() AS pid' };
  try {
    await Promise.all([client.connect(), occupant.connect()]);
    for (let attempt = 0; attempt < 5; attempt++) {
      const first = pidOf(await client.query<{ pid: number }>(namePid));
      await occupant.query('BEGIN');
      await occupant.query('SELECT 1');
      const second = pidOf(await client.query<{ pid: number }>(namePid));
      await occupant.query('ROLLBACK');
      if (second !== first) return true;
    }
    return true;
  } catch (error) {
    if (isLostStatement(error)) return false;
    // With a single server connection, the pooler makes the second client wait.
    if (/query read timeout/i.test((error as Error).message)) return false;
    throw error;
  } finally {
    await Promise.allSettled([client.end(), occupant.end()]);
  }
}
