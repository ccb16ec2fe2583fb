import type { Database } from '../../server/platform/postgres/database.ts';
import { within } from './within.ts';

/** Waits until a statement on this database waits for another transaction's lock. */
export const untilLockWait = (database: Database): Promise<void> =>
  within(10_000, async () => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await database.single(null, { text })).length > 0;
  });
