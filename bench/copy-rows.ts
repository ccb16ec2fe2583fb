import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** Measures COPY in rows per second into a table like `findings`, with or without its indexes, from text in memory. */
export async function copyRows(client: pg.Client, indexes: boolean): Promise<number> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = 'findings'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  const columns = rows[0]!.columns;
  const text = await client.query(copyTo(`COPY (SELECT ${columns} FROM findings) TO STDOUT`)).toArray();
  const like = indexes ? 'INCLUDING ALL' : 'INCLUDING GENERATED INCLUDING DEFAULTS';
  await client.query(`CREATE TABLE bare (LIKE findings ${like})`);
  const began = performance.now();
  await pipeline(Readable.from(text), client.query(copyFrom(`COPY bare (${columns}) FROM STDIN`)));
  const seconds = (performance.now() - began) / 1000;
  const copied = await client.query<{ count: number }>('SELECT count(*)::integer AS count FROM bare');
  await client.query('DROP TABLE bare');
  return copied.rows[0]!.count / seconds;
}
