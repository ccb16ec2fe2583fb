import type pg from 'pg';
import { ApiError } from '../../errors.ts';
import type { Statement } from '../statement.ts';

/** The cell of people and sign-in, and of organizations without an entry in its directory. */
export const homeCell = 'home';

export const readCell: Statement = { text: 'SELECT name FROM cell' };

/** Returns the name of the database's cell; null if it has none, even before the first migration. */
export const whichCell: Statement = { text: `SELECT obj_description(to_regclass('public.cell'), 'pg_class') AS cell` };

/** Throws the error for a node that was started without the installation's cells: it would miss moves. */
export function refuseCell(): never {
  throw new ApiError(
    'unavailable',
    'The database is one of several cells. The operator has to set ASSAY_CELLS, and to restart this node.',
    { headers: { 'Retry-After': '30' } },
  );
}

/** Throws `unavailable` unless `results`, those of a transaction with `readCell`, are from this cell. */
export function checkCell(cell: string, results: pg.QueryResult[]): void {
  const found = results.at(-2)?.rows[0]?.name ?? null;
  if (found === cell) return;
  const is = found === null ? 'has no name yet' : `is ${found}`;
  throw new ApiError(
    'unavailable',
    `The database of the cell ${cell} ${is}. The operator has to correct ASSAY_CELLS, or to run "assay migrate".`,
    { headers: { 'Retry-After': '30' } },
  );
}
