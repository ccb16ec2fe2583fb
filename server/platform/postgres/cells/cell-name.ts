import type pg from 'pg';
import { ApiError } from '../../errors.ts';
import type { Statement } from '../statement.ts';

/** The cell of people and sign-in, and of organizations without an entry in its directory. */
export const homeCell = 'home';

export const readCell: Statement = { text: 'SELECT name FROM cell' };

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
