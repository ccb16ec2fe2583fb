import { setTimeout } from 'node:timers/promises';
import { isId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';
import type { OrderKey } from '../columns/finding-columns.ts';
import { Parameters } from '../filter.ts';
import { selectionOf } from '../filters/select.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { askable } from '../live-columns/questions.ts';
import { type OrderColumn, orders } from '../orders.ts';
import { type Position, readMicroseconds } from './list-order.ts';
import { jsonPage, type KeyedRow, type ListedFinding, positionOf, type RunStatement, runIn } from './list-steps.ts';
import { horizon, type ListRequest, planOnce } from './list-walks.ts';
import { movedRequest } from './moved-positions.ts';

/** While columns catch up with a large import, PostgreSQL lists sooner. */
const usualMaxWaitMs = 300;

const keyColumns: Record<Exclude<OrderColumn, 'id'>, OrderKey[number]> = {
  severity: 'severity',
  priority: 'priority',
  first_seen_at: 'firstSeenAt',
  updated_at: 'updatedAt',
  due_at: 'dueAt',
};

/** Returns the numbers of a position, as columns have them. */
const numbersOf = (columns: readonly OrderColumn[], position: Position): number[] =>
  columns.flatMap((column, index) => {
    if (column === 'id') return [];
    return column.endsWith('_at') ? readMicroseconds(position[index]!) : Number(position[index]);
  });

/** The service, and how long a list waits for it in milliseconds. */
type Service = { columns: ColumnService; maxWaitMs: number };

/** Returns a page that columns find, and a statement reads; null where they can't find it. */
async function findPage(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  { columns: service, maxWaitMs }: Service,
  changedBefore?: string,
): Promise<ListedFinding[] | null> {
  const { filters, sort, after, limit } = request;
  const { columns, descending } = orders[sort];
  const key = columns.filter((column) => column !== 'id').map((column) => keyColumns[column]);
  const place = after && { numbers: numbersOf(columns, after), id: after.at(-1)! };
  // Times that were brought back have no finding at their place.
  if (place && !isId('fnd', place.id)) return null;
  const waited = new AbortController();
  const found = await Promise.race([
    service
      .ask(orgId, 'findPage', filters, {
        key,
        descending,
        after: place,
        limit,
        changedBefore: changedBefore === undefined ? undefined : readMicroseconds(changedBefore),
      })
      .catch(() => null),
    setTimeout(maxWaitMs, null, { signal: waited.signal }).catch(() => null),
  ]);
  waited.abort();
  if (found === null) return null;
  const parameters = new Parameters(orgId);
  const ids = parameters.add(found.map(({ id }) => id));
  const conditions = [selectionOf(filters, parameters), ...horizon(sort)];
  const page = `SELECT f.* FROM unnest(${ids}::text[]) AS hit(id)
    CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = hit.id OFFSET 0) f
    WHERE ${conditions.join(' AND ')}`;
  const rows = await run<KeyedRow>(jsonPage(page, request, parameters), planOnce);
  const listed = rows.map((row) => ({ json: row.json, position: positionOf(row, request) }));
  const isAsFound = ({ position }: ListedFinding, index: number) =>
    position.at(-1) === found[index]!.id &&
    numbersOf(columns, position).every((number, part) => number === found[index]!.numbers[part]);
  return listed.length === found.length && listed.every(isAsFound) ? listed : null;
}

/**
 * Returns a page that columns find and PostgreSQL reads by its ids. Null where they can't find it: the filters need the database, they
 * take longer than `maxWaitMs`, or a finding of the page has changed since, so that a cursor behind it could skip others.
 */
export async function listFromColumns(
  database: Database,
  orgId: string,
  request: ListRequest,
  columns: ColumnService,
  maxWaitMs = usualMaxWaitMs,
): Promise<ListedFinding[] | null> {
  if (!askable(request.filters)) return null;
  const service = { columns, maxWaitMs };
  if (request.sort !== 'updated_at')
    return findPage(
      (statement, before = planOnce) => database.single(orgId, statement, [before]),
      orgId,
      request,
      service,
    );
  // Columns are asked once the horizon is known, so that they have every change before it.
  return database.transaction(orgId, async (tx) => {
    const changedBefore = await setChangeHorizon(tx, orgId);
    const run = runIn(tx);
    return findPage(run, orgId, await movedRequest(tx, orgId, request), service, changedBefore);
  });
}
