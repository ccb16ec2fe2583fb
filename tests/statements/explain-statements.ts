import pg from 'pg';
import * as driver from 'pg/lib/utils.js';
import { BinaryArray } from '../../server/platform/postgres/binary-array.ts';
import { serviceSettings } from '../../server/platform/postgres/service-settings.ts';
import { largeFrom, type PlanNode, type Sizes } from './read-plan.ts';
import type { SentStatement } from './record-statements.ts';

/** Applies the settings of the service's connections, and reads the sizes, after ANALYZE. */
export async function prepareToExplain(client: pg.Client): Promise<Sizes> {
  await client.query('ANALYZE');
  for (const [name, value] of Object.entries(serviceSettings)) await client.query(`SET ${name} = '${value}'`);
  const { rows: tables } = await client.query<{ name: string; rows: number; keys: string[][] }>(
    `SELECT c.relname AS name, c.reltuples::int AS rows, COALESCE(keys.keys, '[]') AS keys
     FROM pg_class c LEFT JOIN LATERAL (
       SELECT json_agg((SELECT json_agg(a.attname) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, at)
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number WHERE k.at <= i.indnkeyatts)) AS keys
       FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL) keys ON true
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.reltuples >= $1`,
    [largeFrom],
  );
  const { rows: indexes } = await client.query<{ name: string; rows: number }>(
    `SELECT relname AS name, reltuples::int AS rows FROM pg_class WHERE relkind = 'i'`,
  );
  return {
    tables: new Map(tables.map(({ name, ...table }) => [name, table])),
    entries: new Map(indexes.map(({ name, rows }) => [name, rows])),
  };
}

/** Returns a value, in the form that the driver sends, as a literal. */
function literalOf(value: unknown): string {
  const sent = driver.prepareValue(value instanceof BinaryArray ? value.elements : value);
  if (sent === null) return 'NULL';
  return pg.escapeLiteral(Buffer.isBuffer(sent) ? `\\x${sent.toString('hex')}` : String(sent));
}

const isPlanned = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|VALUES)\b/i;

export type PlanMode = 'custom' | 'generic';

/**
 * Returns the plan of a sent statement: for its values (`custom`), or as planned by a connection that has prepared it
 * and used it often (`generic`). Changes nothing. Returns null for statements without a plan.
 */
export async function explain(client: pg.Client, sent: SentStatement, mode: PlanMode): Promise<PlanNode | null> {
  if (!isPlanned.test(sent.text)) return null;
  await client.query('BEGIN');
  try {
    for (const setting of sent.settings) await client.query(setting);
    await client.query(`SET LOCAL plan_cache_mode = force_${mode}_plan`);
    await client.query(`PREPARE explained AS ${sent.text}`);
    const values = sent.values.length > 0 ? `(${sent.values.map(literalOf).join(', ')})` : '';
    const { rows } = await client.query(`EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE explained${values}`);
    return rows[0]['QUERY PLAN'][0].Plan as PlanNode;
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}
