import { readChangeHorizon } from '../../server/findings/change-clock.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { Replicas, type ReplicasOptions } from '../../server/platform/postgres/replicas/replicas.ts';
import { asAdmin, type TestDatabase } from './database.ts';
import { StockPostgres } from './stock-postgres.ts';

/** A migrated database on Debian's PostgreSQL, and a streaming replica of it. */
export type ReplicatedDatabase = {
  primary: StockPostgres;
  replica: StockPostgres;
  /** Opens the database once more, for an API node, which owns and closes this connection. */
  open(): Promise<TestDatabase>;
  /** Opens replicas like an API node; by default the only one. */
  openReplicas(options: Partial<ReplicasOptions> & Pick<ReplicasOptions, 'database' | 'log'>): Replicas;
  /** Waits until the replica includes everything on the primary. */
  catchUp(): Promise<void>;
  remove(): Promise<void>;
};

export async function createReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const primary = new StockPostgres();
  await primary.start();
  await primary.admin.query('CREATE ROLE owner LOGIN CREATEROLE');
  await primary.admin.query('CREATE DATABASE assay OWNER owner');
  const databaseUrl = primary.url('assay', 'owner');
  await migrate({ adminUrl: databaseUrl });
  const replica = new StockPostgres(primary);
  await replica.start();
  return {
    primary,
    replica,
    async open() {
      const database = openDatabase({ connectionString: databaseUrl });
      return {
        adminUrl: primary.url('assay'),
        appUrl: databaseUrl,
        database,
        asAdmin: (sql) =>
          asAdmin(primary.url('assay'), async (client) => {
            await client.query(sql);
          }),
        drop: () => database.close(),
      };
    },
    openReplicas: (options) =>
      new Replicas({
        databaseUrl,
        readUrls: [replica.url('assay', 'owner')],
        maxLagMs: 60_000,
        redisUrl: null,
        mark: readChangeHorizon,
        ...options,
      }),
    async catchUp() {
      const { rows } = await primary.admin.query('SELECT pg_current_wal_flush_lsn()::text AS lsn');
      for (;;) {
        const reached = await replica.admin.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached', [
          rows[0].lsn,
        ]);
        if (reached.rows[0].reached) return;
      }
    },
    async remove() {
      await replica.remove();
      await primary.remove();
    },
  };
}
