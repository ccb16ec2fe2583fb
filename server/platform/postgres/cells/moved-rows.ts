import type pg from 'pg';

/** A table with rows of organizations, and the column with the organization's id. */
type TenantTable = { name: string; key: string };

/** Numbers of this server's transactions, which mean nothing on another one. */
const ofServer = 'finding_change_log';

async function listTables(owner: pg.Client): Promise<TenantTable[]> {
  const { rows } = await owner.query<TenantTable>(
    `SELECT format('public.%I', c.relname) AS name, a.attname AS key FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'org_id' END
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname`,
  );
  return rows;
}

/** Lists the tables that a move copies. */
export const listMoved = async (owner: pg.Client): Promise<TenantTable[]> =>
  (await listTables(owner)).filter(({ name }) => name !== `public.${ofServer}`);

const inEach = (tables: TenantTable[], value: string) =>
  `SELECT ${tables.map(({ name, key }) => `(SELECT ${value} FROM ${name} t WHERE ${key} = $1) AS "${name}"`).join(', ')}`;

type Sums = Record<string, string | null>;

/** Counts the organization's rows of each table. */
export const countRows = async (reader: pg.Client, tables: TenantTable[], id: string): Promise<Sums> =>
  (await reader.query<Sums>(inEach(tables, 'count(*)'), [id])).rows[0]!;

/** Returns a checksum of the organization's rows of each table: the MD5 of all rows, combined by XOR. */
export const sumRows = async (reader: pg.Client, tables: TenantTable[], id: string): Promise<Sums> =>
  (await reader.query<Sums>(inEach(tables, `bit_xor(('x' || md5(t::text))::bit(128))`), [id])).rows[0]!;

/** Lists the tables in which two results differ. */
export const findDifferent = (one: Sums, other: Sums): string[] =>
  Object.keys(one).filter((table) => one[table] !== other[table]);

/**
 * Deletes what an organization has in a cell that does not serve it, and that sends it to no other. In one statement,
 * after which foreign keys are checked.
 */
export async function deleteRows(owner: pg.Client, id: string, publication: string): Promise<void> {
  const deletions = (await listTables(owner)).map(
    ({ name, key }, index) => `d${index} AS (DELETE FROM ${name} WHERE ${key} = $1 AND (TABLE allowed))`,
  );
  await owner.query(
    `WITH allowed AS MATERIALIZED (SELECT EXISTS (SELECT FROM absent_organizations WHERE organization_id = $1)
       AND NOT EXISTS (SELECT FROM pg_publication WHERE pubname = $2)), ${deletions.join(', ')} SELECT`,
    [id, publication],
  );
}
