import type pg from 'pg';
import { type ApplicationClient, openPool } from '../application-client.ts';
import { type Db, withClient } from '../database.ts';
import type { Statement } from '../statement.ts';
import type { Position } from './positions.ts';

const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY';
const beginConsistent = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const replayedName = 'replica_has_reached';

/**
 * Returns whether this server is a standby that has replayed a position. Each transaction checks it before the
 * statement that reads, since an address may lead to another server each time.
 */
const hasReached = ({ lsn }: Position): Statement => ({
  name: replayedName,
  text: `SELECT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= $1::numeric AS reached`,
  values: [String(lsn)],
});

function requireReplayed({ rows }: pg.QueryResult): void {
  if (rows[0]?.reached !== true)
    throw new Error('The server is not a standby, or has not replayed as much as expected.');
}

/**
 * A pool of connections to a replica. Its transactions are read-only, run as the application's role, and include at
 * least a position.
 */
export type ReplicaPool = {
  single<Row extends object>(
    position: Position,
    orgId: string | null,
    statement: Statement,
    before: Statement[],
  ): Promise<Row[]>;
  transaction<T>(position: Position, orgId: string | null, run: (tx: Db) => Promise<T>): Promise<T>;
  /** Runs a transaction with one snapshot, however long it takes. */
  consistentTransaction<T>(position: Position, orgId: string | null, run: (tx: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type ReplicaPoolOptions = {
  connectionString: string;
  maxConnections: number;
  applicationName: string;
  statementTimeoutMs: number;
  settings: Record<string, string>;
};

export function openReplicaPool(options: ReplicaPoolOptions): ReplicaPool {
  const pool = openPool({
    connectionString: options.connectionString,
    max: options.maxConnections,
    applicationName: options.applicationName,
    statementTimeoutMs: options.statementTimeoutMs,
    connectionTimeoutMs: 2_000,
    queryTimeoutMs: options.statementTimeoutMs + 5_000,
    settings: options.settings,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const enter = (client: ApplicationClient, position: Position, orgId: string | null) => [
    ...client.begin(begin, orgId),
    hasReached(position),
  ];
  /**
   * The snapshot of a consistent transaction is taken just before its first statement runs, which may then report a
   * position that is not in the snapshot yet. So the position is also checked before the transaction.
   */
  const enterConsistent = (client: ApplicationClient, position: Position, orgId: string | null) => [
    ...enter(client, position, orgId),
    { text: 'COMMIT' },
    ...client.begin(beginConsistent, orgId),
    hasReached(position),
  ];
  const transaction = <T>(
    entered: typeof enter,
    position: Position,
    orgId: string | null,
    run: (tx: Db) => Promise<T>,
  ) =>
    withClient(pool, async (client) => {
      const query = async <Row extends object>(statement: Statement) => {
        const result = await client.send<Row>(statement);
        return { rows: result.rows, rowCount: result.rowCount ?? 0 };
      };
      try {
        const statements = entered(client, position, orgId);
        const results = await client.sendAll(statements);
        for (const [index, { name }] of statements.entries()) {
          if (name === replayedName) requireReplayed(results[index]!);
        }
        const result = await run({ query, replayed: position.mark });
        await client.send({ text: 'COMMIT' });
        return result;
      } catch (error) {
        await client.send({ text: 'ROLLBACK' }).catch(() => {});
        throw error;
      }
    });
  return {
    single: <Row extends object>(position: Position, orgId: string | null, statement: Statement, before: Statement[]) =>
      withClient(pool, async (client) => {
        const entered = enter(client, position, orgId);
        const results = await client.sendAll([...entered, ...before, statement, { text: 'COMMIT' }]);
        requireReplayed(results[entered.length - 1]!);
        return results.at(-2)!.rows as Row[];
      }),
    transaction: (position, orgId, run) => transaction(enter, position, orgId, run),
    consistentTransaction: (position, orgId, run) => transaction(enterConsistent, position, orgId, run),
    close: () => pool.end(),
  };
}
