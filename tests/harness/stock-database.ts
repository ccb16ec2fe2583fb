import { openDatabase } from '../../server/platform/postgres/database.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { asAdmin, type TestDatabase } from './database.ts';
import { StockPostgres } from './stock-postgres.ts';

/**
 * Returns the statements that have run as the owner of the tables since the migrations; those inside functions don't
 * count. The service logs in as the owner.
 */
export async function listOwnersStatements({ adminUrl }: Pick<TestDatabase, 'adminUrl'>): Promise<string[]> {
  const server = new URL(adminUrl);
  server.pathname = '/postgres';
  const { rows } = await asAdmin(server.href, (client) =>
    client.query<{ query: string }>(
      `SELECT DISTINCT s.query FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname = 'owner' ORDER BY 1`,
    ),
  );
  return rows.map(({ query }) => query.replace(/\s+/g, ' '));
}

/** Creates a migrated database on Debian's PostgreSQL, owned by an ordinary role, with these settings. */
export async function createStockDatabase(settings: Record<string, string> = {}): Promise<TestDatabase> {
  const server = new StockPostgres();
  const statistics = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '20000' };
  // Nothing has to survive a test.
  await server.start({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...statistics });
  await server.admin.query('CREATE EXTENSION pg_stat_statements');
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
  await server.admin.query('SELECT pg_stat_statements_reset()');
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
