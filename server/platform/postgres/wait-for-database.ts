import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { isDatabaseAway } from './database.ts';

const lookAgainMs = 500;
const logAgainMs = 15_000;

/**
 * Waits for a database that is not available yet, for example when both start together. Throws errors that waiting
 * doesn't fix, and the reason of `signal` when it aborts.
 */
export async function waitForDatabase(connectionString: string, log: Log, signal: AbortSignal): Promise<void> {
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
      if (loggedAt > 0) log.info('The database is available.');
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (performance.now() - loggedAt > logAgainMs) {
        loggedAt = performance.now();
        log.warn({ err: error }, 'The database of DATABASE_URL is not available. Waiting for it.');
      }
    } finally {
      await client.end().catch(() => {});
    }
    await delay(lookAgainMs, undefined, { signal });
  }
}
