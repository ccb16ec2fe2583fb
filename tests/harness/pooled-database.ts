import { openDatabase } from '../../server/platform/postgres/database.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { asAdmin, type TestDatabase } from './database.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { StockPostgres } from './stock-postgres.ts';

export type PooledDatabase = TestDatabase & {
  server: StockPostgres;
  pooler: PgBouncer;
  /** The address that an operator would configure, through the pooler, with the login that owns the schema. */
  ownerUrl: string;
};

/**
 * A migrated database on Debian's PostgreSQL behind PgBouncer with transaction pooling. The service logs in as a role
 * without privileges: a statement that does not run as assay_app fails.
 */
export async function createPooledDatabase(): Promise<PooledDatabase> {
  const server = new StockPostgres();
  await server.start();
  await server.admin.query('CREATE ROLE owner LOGIN CREATEROLE');
  await server.admin.query('CREATE DATABASE assay OWNER owner');
  const pooler = await startPgBouncer(server, 'transaction', ['owner', 'visitor']);
  const ownerUrl = pooler.url('assay', 'owner');
  await migrate({ adminUrl: ownerUrl });
  await server.admin.query('CREATE ROLE visitor LOGIN NOINHERIT; GRANT assay_app TO visitor');
  const appUrl = pooler.url('assay', 'visitor');
  const database = openDatabase({ connectionString: appUrl });
  return {
    adminUrl: server.url('assay'),
    asAdmin: (sql) =>
      asAdmin(server.url('assay'), async (client) => {
        await client.query(sql);
      }),
    appUrl,
    ownerUrl,
    database,
    server,
    pooler,
    async drop() {
      await database.close();
      await pooler.stop();
      await server.remove();
    },
  };
}
