import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';
import type { OrderKey } from '../columns/finding-columns.ts';
import { Parameters } from '../filter.ts';
import { selectionOf } from '../filters/select.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { findFrequent, findRare, findScans, needsDatabase } from '../live-columns/found.ts';
import type { Found } from '../live-columns/questions.ts';
import { type OrderColumn, orders } from '../orders.ts';
import { orderBy, type Position, readMicroseconds } from './list-order.ts';
import { jsonPage, type KeyedRow, type ListedFinding, positionOf, type RunStatement, runIn } from './list-steps.ts';
import { horizon, type ListRequest, planOnce } from './list-walks.ts';
import { movedRequest } from './moved-positions.ts';

/** The limits of the ways in which a page is found; tests set others. */
export type ListLimits = {
  /** While columns catch up with a large import, PostgreSQL lists sooner. */
  maxWaitMs: number;
  /** Findings with words are looked up by their ids up to this number. */
  maxRare: number;
  /** After so many findings without enough of the words, the index of words is read instead. */
  maxTried: number;
};
const usualLimits: ListLimits = { maxWaitMs: 300, maxRare: 2_000, maxTried: 20_000 };

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

type Service = ListLimits & { columns: ColumnService };
type Candidate = { id: string; numbers: number[] };
type Place = Pick<Candidate, 'id' | 'numbers'> | null;

/** The findings of this many pages are looked at first for words that are not rare. */
const firstPages = 4;

/** Returns a page that columns find, and statements read; null where they can't find it. */
async function findPage(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  { columns: service, maxWaitMs, maxRare, maxTried }: Service,
  changedBefore?: string,
): Promise<ListedFinding[] | null> {
  const { filters, sort, after, limit } = request;
  const { columns, descending } = orders[sort];
  const key = columns.filter((column) => column !== 'id').map((column) => keyColumns[column]);
  const before = changedBefore === undefined ? undefined : readMicroseconds(changedBefore);

  /** Returns the next findings under all filters that columns have, and those that were found. */
  async function ask(place: Place, count: number, found: Found[]): Promise<Candidate[] | null> {
    const question = { key, descending, after: place, limit: count, changedBefore: before, found };
    const waited = new AbortController();
    const candidates = await Promise.race([
      service.ask(orgId, 'findPage', filters, question).catch(() => null),
      setTimeout(maxWaitMs, null, { signal: waited.signal }).catch(() => null),
    ]);
    waited.abort();
    return candidates;
  }

  /** Reads findings that the filters select, at most `count`. Null when the place of one has changed, or with `all` one is missing. */
  async function read(candidates: Candidate[], count: number, all: boolean): Promise<ListedFinding[] | null> {
    const parameters = new Parameters(orgId);
    const ids = parameters.add(candidates.map(({ id }) => id));
    const conditions = [selectionOf(filters, parameters), ...horizon(sort)];
    const page = `SELECT f.* FROM unnest(${ids}::text[]) AS hit(id)
      CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = hit.id OFFSET 0) f
      WHERE ${conditions.join(' AND ')}${all ? '' : ` ORDER BY ${orderBy(orders[sort])} LIMIT ${parameters.add(count)}`}`;
    const rows = await run<KeyedRow>(jsonPage(page, request, parameters), planOnce);
    const listed = rows.map((row) => ({ json: row.json, position: positionOf(row, request) }));
    const known = new Map(candidates.map(({ id, numbers }) => [id, numbers]));
    const isAsFound = ({ position }: ListedFinding) =>
      numbersOf(columns, position).every((number, part) => number === known.get(position.at(-1)!)![part]);
    return (!all || listed.length === candidates.length) && listed.every(isAsFound) ? listed : null;
  }

  async function readAll(place: Place, count: number, found: Found[]) {
    const candidates = await ask(place, count, found);
    return candidates && read(candidates, count, true);
  }

  const found = await findScans(run, orgId, filters);
  const start = after && { numbers: numbersOf(columns, after), id: after.at(-1)! };
  const { q } = filters;
  if (q === undefined) return readAll(start, limit, found);
  const rare = await findRare(run, orgId, q, maxRare);
  if (rare !== null) return readAll(start, limit, [...found, rare]);
  // Words that are not rare are soon found on the way, unless other filters select hardly anything that has them.
  const listed: ListedFinding[] = [];
  let place: Place = start;
  for (let tried = 0, count = firstPages * limit; tried + count <= maxTried; ) {
    const candidates = await ask(place, count, found);
    const page = candidates && (await read(candidates, limit - listed.length, false));
    if (candidates === null || page === null) return null;
    listed.push(...page);
    if (listed.length === limit || candidates.length < count) return listed;
    place = candidates.at(-1)!;
    tried += count;
    count = Math.ceil((2 * tried * (limit - listed.length)) / listed.length);
  }
  const rest = await readAll(place, limit - listed.length, [...found, await findFrequent(run, orgId, q)]);
  return rest && [...listed, ...rest];
}

/**
 * Returns a page that columns find and PostgreSQL reads by its ids. Null where they can't find it: it takes too long,
 * or a finding of the page has changed since, so that a cursor behind it could skip others.
 */
export async function listFromColumns(
  database: Database,
  orgId: string,
  request: ListRequest,
  columns: ColumnService,
  limits: Partial<ListLimits> = {},
): Promise<ListedFinding[] | null> {
  if (needsDatabase(request.filters) && !columns.has(orgId)) return null;
  const service = { ...usualLimits, ...limits, columns };
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
