import { ApiError } from '../../platform/errors.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import type { FindingFilters } from '../filters/table.ts';
import type { ListSort } from '../orders.ts';
import { type Position, readTime } from './list-order.ts';

type Followed = { filters: FindingFilters; after: Position | null };

/** Sorts after every finding id. */
const behindIds = '~';

/**
 * Returns the new place of a position in the future: after the same changes, and before all others. Null if it has not
 * moved. Without `inclusive`, a change at the position itself is one of those after it.
 */
async function findMoved(
  tx: Db,
  orgId: string,
  at: string | Date,
  inclusive: boolean,
): Promise<{ at: string; isExact: boolean } | null> {
  const { rows } = await tx.query<{ at: string | null; isExact: boolean }>({
    name: `repaired_times_find_${inclusive ? 'position' : 'start'}`,
    text: `SELECT COALESCE(below.is_at, above.is_at - interval '1 microsecond')::text AS at,
             COALESCE(below.was_at = $2::timestamptz, false) AS "isExact"
           FROM (SELECT) AS one
           LEFT JOIN LATERAL (SELECT was_at, is_at FROM repaired_times
             WHERE org_id = $1 AND was_at ${inclusive ? '<=' : '<'} $2::timestamptz ORDER BY was_at DESC LIMIT 1) AS below ON true
           LEFT JOIN LATERAL (SELECT is_at FROM repaired_times
             WHERE org_id = $1 AND was_at >= $2::timestamptz ORDER BY was_at LIMIT 1) AS above ON true
           WHERE $2::timestamptz > clock_timestamp() AND (above.is_at IS NOT NULL
             OR (SELECT max(updated_at) FROM findings WHERE org_id = $1) < $2::timestamptz)`,
    values: [orgId, at],
  });
  const [row] = rows;
  return row && row.at !== null ? { at: row.at, isExact: row.isExact } : null;
}

/**
 * Returns the request of a list by `updated_at` with its start moved, if the start is in the future and a repair has
 * moved times there. Call it after `setChangeHorizon`, which blocks repairs until the transaction ends.
 */
export async function movedRequest<Request extends Followed>(
  tx: Db,
  orgId: string,
  request: Request,
): Promise<Request> {
  const { after, filters } = request;
  // The previous page was moved and its last finding has a current time: the list is past its start.
  if (after && filters.updated_from && readTime(after[0]!) < filters.updated_from.getTime())
    return { ...request, filters: { ...filters, updated_from: undefined } };
  const begins = after ? after[0]! : filters.updated_from;
  if (begins === undefined) return request;
  const moved = await findMoved(tx, orgId, begins, after !== null);
  if (moved === null) return request;
  const id = moved.isExact ? after![1]! : behindIds;
  return { ...request, after: [moved.at, id], filters: { ...filters, updated_from: undefined } };
}

/** Returns whether `at` is in the future and a repair has moved times there. */
async function wasRepaired(database: Database, orgId: string, at: string): Promise<boolean> {
  const rows = await database.single(orgId, {
    name: 'repaired_times_exist',
    text: `SELECT FROM repaired_times WHERE org_id = $1 AND was_at > clock_timestamp() AND $2::timestamptz > clock_timestamp() LIMIT 1`,
    values: [orgId, at],
  });
  return rows.length > 0;
}

const timeText = /^\d{4,6}-\d\d-\d\d /;

/**
 * Refuses a cursor that points into the future if a repair has moved times since: findings before it could appear
 * again, and findings after it could be skipped. Due dates are in the future anyway, and lists by `updated_at`
 * continue.
 */
export async function requirePresent(
  database: Database,
  orgId: string,
  position: Position,
  sort?: ListSort,
): Promise<void> {
  if (sort === 'updated_at' || sort === 'due_at') return;
  const at = position.find((value) => timeText.test(value));
  if (at === undefined || readTime(at) < Date.now()) return;
  if (!(await wasRepaired(database, orgId, at))) return;
  const message =
    'points into the future, and the times there were brought back after the clock had been ahead. Start again without it';
  throw new ApiError('invalid_cursor', `next_cursor ${message}.`, {
    details: [{ in: 'query', field: 'next_cursor', message }],
  });
}
