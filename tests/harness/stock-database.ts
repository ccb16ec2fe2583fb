import { openDatabase } from '../../server/platform/postgres/database.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { asAdmin, type TestDatabase } from './database.ts';
import { StockPostgres } from './stock-postgres.ts';

/** Creates a migrated database on Debian's PostgreSQL, owned by an ordinary role, with these settings. */
export async function createStockDatabase(settings: Record<string, string> = {}): Promise<TestDatabase> {
  const server = new StockPostgres();
  // Nothing has to survive a test.
  await server.start({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' });
  await server.admin.query('CREATE ROLE owner LOGIN CREATEROLE');
  await server.admin.query('CREATE DATABASE assay OWNER owner');
  for (const [name, value] of Object.entries(settings)) {
    await server.admin.query(`ALTER DATABASE assay SET ${name} = '${value}'`);
  }
  const appUrl = server.url('assay', 'owner');
  await migrate({ adminUrl: appUrl }).catch(async (error: unknown) => {
    await server.remove();
    throw error;
  });
  const database = openDatabase({ connectionString: appUrl });
  return {
    adminUrl: server.url('assay'),
    appUrl,
    database,
    asAdmin: (sql) =>
      asAdmin(server.url('assay'), async (client) => {
        await client.query(sql);
      }),
    async drop() {
      await database.close();
      await server.remove();
    },
  };
}
