import { exclusively } from '../../platform/exclusive.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';

type Transaction = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

/**
 * Runs a transaction of an organization that needs an account in it: `people` runs a transaction of people's tables,
 * which commits first. If the process dies in between, the account belongs to no organization, and the same request
 * succeeds when it is repeated.
 */
export function withPeople<T>(
  database: Database,
  orgId: string,
  run: (tx: Db, people: Transaction) => Promise<T>,
): Promise<T> {
  const people: Transaction = (inner) => database.transaction(null, inner);
  // Several at once could take all connections and wait for one more each.
  return exclusively('with people', () => database.transaction(orgId, (tx) => run(tx, people)));
}
