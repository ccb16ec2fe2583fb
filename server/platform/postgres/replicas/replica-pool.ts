import type pg from 'pg';
import { type ApplicationClient, openPool } from '../application-client.ts';
import { type Db, withClient } from '../database.ts';
import type { Statement } from '../statement.ts';
import type { Position } from './positions.ts';

const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY';

/**
 * Returns whether this server is a standby that has replayed a position. It is checked in each transaction, before the
 * statement that reads: an address may lead to another server each time.
 */
const hasReached = ({ lsn }: Position): Statement => ({
  name: 'replica_has_reached',
  text: `SELECT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= $1::numeric AS reached`,
  values: [String(lsn)],
});

function requireReached({ rows }: pg.QueryResult): void {
  if (rows[0]?.reached !== true) throw new Error('The server is no standby, or has not replayed as much as expected.');
}

/** A pool of connections to a replica. Its transactions read only, as the application's role, and see at least a position. */
export type ReplicaPool = {
  single<Row extends object>(
    position: Position,
    orgId: string | null,
    statement: Statement,
    before: Statement[],
  ): Promise<Row[]>;
  transaction<T>(position: Position, orgId: string | null, run: (tx: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function openReplicaPool(options: { connectionString: string; maxConnections: number }): ReplicaPool {
  const pool = openPool({
    connectionString: options.connectionString,
    max: options.maxConnections,
    applicationName: 'assay api',
    statementTimeoutMs: 30_000,
    connectionTimeoutMs: 2_000,
    queryTimeoutMs: 35_000,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const enter = (client: ApplicationClient, position: Position, orgId: string | null) => [
    ...client.begin(begin, orgId),
    hasReached(position),
  ];
  return {
    single: <Row extends object>(position: Position, orgId: string | null, statement: Statement, before: Statement[]) =>
      withClient(pool, async (client) => {
        const entered = enter(client, position, orgId);
        const results = await client.sendAll([...entered, ...before, statement, { text: 'COMMIT' }]);
        requireReached(results[entered.length - 1]!);
        return results.at(-2)!.rows as Row[];
      }),
    transaction: (position, orgId, run) =>
      withClient(pool, async (client) => {
        const query = async <Row extends object>(statement: Statement) => {
          const result = await client.send<Row>(statement);
          return { rows: result.rows, rowCount: result.rowCount ?? 0 };
        };
        try {
          requireReached((await client.sendAll(enter(client, position, orgId))).at(-1)!);
          const result = await run({ query, replayed: position.mark });
          await client.send({ text: 'COMMIT' });
          return result;
        } catch (error) {
          await client.send({ text: 'ROLLBACK' }).catch(() => {});
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}
