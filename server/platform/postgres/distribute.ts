import pg from 'pg';
import { applicationRole } from './application-role.ts';
import { underMigrationLock } from './migration-lock.ts';
import { serviceSettings } from './service-settings.ts';

/** Where the tables without `org_id` lie. */
type Distribution = { organizations: string; references: readonly string[]; local: readonly string[] };

type Table = { name: string; hasOrganization: boolean };
type ForeignKey = { name: string; owner: string; target: string; definition: string };
type Catalog = { hasCitus: boolean; distributed: string[]; tables: Table[]; foreignKeys: ForeignKey[] };

const missing =
  'This database has no Citus, so that its tables cannot be distributed. Install Citus on every server, add it to ' +
  'shared_preload_libraries, run CREATE EXTENSION citus in this database on each, and name the workers with ' +
  'citus_add_node(). docs/citus.md explains the steps.';

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const { rows } = await client.query<Pick<Catalog, 'hasCitus'> & { knows: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "hasCitus",
            to_regclass('pg_dist_partition') IS NOT NULL AS knows`,
  );
  const { hasCitus, knows } = rows[0]!;
  const distributed = knows
    ? await client.query<{ name: string }>(
        'SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid',
      )
    : { rows: [] };
  const tables = await client.query<Table>(
    `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND a.attnotnull)
              AS "hasOrganization"
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e') ORDER BY c.relname COLLATE "C"`,
  );
  const foreignKeys = await client.query<ForeignKey>(
    `SELECT k.conname AS name, o.relname AS owner, t.relname AS target, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class o ON o.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND o.relnamespace = 'public'::regnamespace
     ORDER BY o.relname COLLATE "C", k.conname COLLATE "C"`,
  );
  return {
    hasCitus,
    distributed: distributed.rows.map(({ name }) => name),
    tables: tables.rows,
    foreignKeys: foreignKeys.rows,
  };
}

/** Returns the tables that neither have `org_id` nor are named; each needs a decision. */
const findUnplaced = (tables: Table[], { organizations, references, local }: Distribution): string[] =>
  tables
    .filter(({ name, hasOrganization }) => !hasOrganization && ![organizations, ...references, ...local].includes(name))
    .map(({ name }) => name);

const quoted = pg.escapeIdentifier;
const literal = pg.escapeLiteral;

/** The role with which the coordinator logs in to the workers, where the service's own settings do not reach. */
const prepareRole = (databaseName: string) => [
  `ALTER ROLE ${quoted(applicationRole)} LOGIN`,
  ...Object.entries(serviceSettings).map(
    ([name, value]) => `ALTER ROLE ${quoted(applicationRole)} SET ${name} = ${literal(value)}`,
  ),
  `ALTER DATABASE ${quoted(databaseName)} SET citus.propagate_set_commands = 'local'`,
];

/**
 * Returns the statements that distribute the tables which are not distributed yet; none when all are. Foreign keys are
 * dropped before and added again after, since a table can only refer to one that is distributed already.
 */
function planTables({ distributed, tables, foreignKeys }: Omit<Catalog, 'hasCitus'>, where: Distribution): string[] {
  const isNew = (name: string) => !distributed.includes(name) && !where.local.includes(name);
  const fresh = tables.filter(({ name }) => isNew(name));
  if (fresh.length === 0) return [];
  const affected = foreignKeys.filter(({ owner, target }) => isNew(owner) || isNew(target));
  const byOrganization = fresh.filter(({ hasOrganization }) => hasOrganization).map(({ name }) => name);
  const table = (name: string) => literal(`public.${name}`);
  return [
    ...affected.map(({ owner, name }) => `ALTER TABLE public.${quoted(owner)} DROP CONSTRAINT ${quoted(name)}`),
    ...where.references.filter(isNew).map((name) => `SELECT create_reference_table(${table(name)})`),
    ...[where.organizations].filter(isNew).map((name) => `SELECT create_distributed_table(${table(name)}, 'id')`),
    ...byOrganization.map(
      (name) =>
        `SELECT create_distributed_table(${table(name)}, 'org_id', colocate_with => ${table(where.organizations)})`,
    ),
    ...affected.map(
      ({ owner, name, definition }) =>
        `ALTER TABLE public.${quoted(owner)} ADD CONSTRAINT ${quoted(name)} ${definition}`,
    ),
  ];
}

/** Foreign keys to copied tables need one connection for each worker. Triggers announce changes and seal the audit log. */
const inTransaction = [
  `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
  'SET LOCAL citus.enable_unsafe_triggers = on',
];

export type DistributionPlan = { hasCitus: boolean; statements: string[] };

async function plan(client: pg.Client, where: Distribution): Promise<DistributionPlan> {
  const catalog = await readCatalog(client);
  const unplaced = findUnplaced(catalog.tables, where);
  if (unplaced.length > 0) {
    throw new Error(`server/migrations/distribution.ts does not say where these tables lie: ${unplaced.join(', ')}.`);
  }
  const tables = planTables(catalog, where);
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const statements = tables.length === 0 ? [] : [...prepareRole(rows[0]!.name), ...inTransaction, ...tables];
  return { hasCitus: catalog.hasCitus, statements };
}

async function withClient<T>(adminUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'assay distribute' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Returns what `distribute` would run, whether or not the database has Citus. */
export const planDistribution = (adminUrl: string, where: Distribution): Promise<DistributionPlan> =>
  withClient(adminUrl, (client) => plan(client, where));

/**
 * Distributes the tables over the workers of Citus, in one transaction, while no other node migrates the schema. Returns
 * the statements that were run: none when every table is distributed. Throws, with what to do, where Citus is missing.
 */
export const distribute = (adminUrl: string, where: Distribution): Promise<string[]> =>
  withClient(adminUrl, (client) =>
    underMigrationLock(client, { log: undefined, maxWaitMs: undefined }, async () => {
      const { hasCitus, statements } = await plan(client, where);
      if (!hasCitus) throw new Error(missing);
      for (const statement of statements) await client.query(statement);
      return statements;
    }),
  );

/** Distributes the tables that a migration has added, if the others are distributed. */
export async function distributeNewTables(adminUrl: string, where: Distribution): Promise<void> {
  const isDistributed = await withClient(adminUrl, async (client) =>
    (await readCatalog(client)).distributed.includes(where.organizations),
  );
  if (isDistributed) await distribute(adminUrl, where);
}
