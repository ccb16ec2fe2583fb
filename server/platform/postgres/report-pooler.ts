import type pg from 'pg';
import type { Log } from '../log.ts';
import { type ApplicationClient, openPool } from './application-client.ts';

/** Logs that there is a pooler in front of the server, and what that costs. */
export async function reportPooler(connectionString: string, log: Log): Promise<void> {
  const pool = openPool({ connectionString, max: 1, applicationName: 'assay', connectionTimeoutMs: 5_000 });
  try {
    const client = (await pool.connect()) as ApplicationClient & pg.PoolClient;
    const { pooler } = client;
    client.release();
    if (pooler?.keepsPreparedStatements) log.info('The database is reached through a pooler.');
    if (pooler?.keepsPreparedStatements === false) {
      log.warn(
        'The database is reached through a pooler that keeps no prepared statements: the server plans every statement each time, ' +
          'which makes requests slower. Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or a direct connection.',
      );
    }
  } finally {
    await pool.end();
  }
}
