import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** A connection as the owner of the tables. */
export type Owner = pg.Client;

export type Table = { schema: string; name: string; columns: string[] };

const schemas = `('public', 'graphile_worker')`;
/** Tables that migrations fill, and the log of changes: its transaction ids are valid on this server only. */
const bookkeeping = ['public.schema_migrations', 'graphile_worker.migrations', 'public.finding_change_log'];

const nameOf = ({ schema, name }: { schema: string; name: string }) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
const columnsOf = ({ columns }: Table) => columns.map((column) => pg.escapeIdentifier(column)).join(', ');

/**
 * Returns all tables that hold data, with their stored columns. A table comes after the tables that it references.
 */
export async function listTables(owner: Owner): Promise<Table[]> {
  const { rows } = await owner.query<Table & { references: string[] }>(
    `SELECT n.nspname AS schema, c.relname AS name,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
       ARRAY(SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS references
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ${schemas} ORDER BY 1, 2`,
  );
  const waiting = rows.filter((table) => !bookkeeping.includes(`${table.schema}.${table.name}`));
  const ordered: Table[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((table) => !waiting.some(({ name }) => table.references.includes(name)));
    if (next < 0) throw new Error(`These tables reference each other in a circle: ${waiting.map(({ name }) => name)}.`);
    const { schema, name, columns } = waiting.splice(next, 1)[0]!;
    ordered.push({ schema, name, columns });
  }
  return ordered;
}

/**
 * Begins a transaction with one snapshot of the database, and keeps migrations from changing these tables meanwhile.
 */
export async function beginSnapshot(owner: Owner, tables: Table[]): Promise<void> {
  await owner.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await owner.query('SET LOCAL statement_timeout = 0');
  await owner.query(`LOCK TABLE ${tables.map(nameOf).join(', ')} IN ACCESS SHARE MODE`);
}

export type Versions = {
  migrations: Array<{ version: number; name: string; checksum: string }>;
  jobQueue: number;
  postgres: string;
};

export async function findVersions(owner: Owner): Promise<Versions> {
  const { rows: migrations } = await owner.query<Versions['migrations'][number]>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  const { rows } = await owner.query<Omit<Versions, 'migrations'>>(
    `SELECT max(id)::integer AS "jobQueue", current_setting('server_version') AS postgres FROM graphile_worker.migrations`,
  );
  return { migrations, ...rows[0]! };
}

/** Returns whether our schema exists. */
export async function hasSchema(owner: Owner): Promise<boolean> {
  const { rows } = await owner.query<{ exists: boolean }>(
    `SELECT to_regclass('public.schema_migrations') IS NOT NULL AS exists`,
  );
  return rows[0]!.exists;
}

export async function countRows(owner: Owner, table: Table): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${nameOf(table)}`);
  return rows[0]!.count;
}

/** Reads the rows of a table as the text of COPY. */
export const readRows = (owner: Owner, table: Table): Readable =>
  owner.query(copyTo(`COPY (SELECT ${columnsOf(table)} FROM ${nameOf(table)}) TO STDOUT`));

/** Writes rows in the form that `readRows` returns. */
export const writeRows = (owner: Owner, table: Table): Writable =>
  owner.query(copyFrom(`COPY ${nameOf(table)} (${columnsOf(table)}) FROM STDIN`));

/** Empties the tables and runs `load` in one transaction. */
export async function replaceRows(owner: Owner, tables: Table[], load: () => Promise<void>): Promise<void> {
  await owner.query('BEGIN');
  try {
    await owner.query('SET LOCAL statement_timeout = 0');
    await owner.query(`TRUNCATE ${tables.map(nameOf).join(', ')}`);
    await load();
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK').catch(() => {});
    throw error;
  }
  await owner.query('ANALYZE');
}

export type Sequence = { schema: string; name: string; value: string };

/** Returns the sequences that have been used, with their last value. */
export async function listSequences(owner: Owner): Promise<Sequence[]> {
  const { rows } = await owner.query<Sequence>(
    `SELECT schemaname AS schema, sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname IN ${schemas} AND last_value IS NOT NULL ORDER BY 1, 2`,
  );
  return rows;
}

export async function setSequence(owner: Owner, sequence: Sequence): Promise<void> {
  await owner.query('SELECT setval($1::regclass, $2::bigint)', [nameOf(sequence), sequence.value]);
}
