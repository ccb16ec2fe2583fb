import type { Database } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';
import type { OrderKey } from '../columns/finding-columns.ts';
import { Parameters } from '../filter.ts';
import { selectionOf } from '../filters/select.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { findFrequent, findRare, findScans } from '../live-columns/found.ts';
import type { Found } from '../live-columns/questions.ts';
import { type OrderColumn, orders } from '../orders.ts';
import {
  firstRows,
  type ListedFinding,
  type ListRequest,
  planOnce,
  type RunStatement,
  readPage,
  runIn,
} from './list-findings.ts';
import { type Position, readMicroseconds } from './list-order.ts';
import { movedRequest } from './moved-positions.ts';

/** The limits of the ways in which a page is found; tests set others. */
export type ListLimits = {
  /** Findings with words are looked up by their ids up to this number. */
  maxRare: number;
  /** After so many findings without enough of the words, the index of words is read instead. */
  maxTried: number;
};
const usualLimits: ListLimits = { maxRare: 2_000, maxTried: 20_000 };

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
  { columns: service, maxRare, maxTried }: Service,
  changedBefore?: string,
): Promise<ListedFinding[] | null> {
  const { filters, sort, after, limit } = request;
  const { columns, descending } = orders[sort];
  const key = columns.filter((column) => column !== 'id').map((column) => keyColumns[column]);
  const before = changedBefore === undefined ? undefined : readMicroseconds(changedBefore);

  /** Returns the next findings under all filters that columns have, and those that were found. */
  async function ask(place: Place, count: number, found: Found[]): Promise<Candidate[] | null> {
    const question = { key, descending, after: place, limit: count, changedBefore: before, found };
    return service.ask(orgId, 'findPage', filters, question);
  }

  /** Reads findings that the filters select, at most `count`. Null when the place of one has changed, or with `all` one is missing. */
  async function read(candidates: Candidate[], count: number, all: boolean): Promise<ListedFinding[] | null> {
    const parameters = new Parameters(orgId);
    const from = `unnest(${parameters.add(candidates.map(({ id }) => id))}::text[]) AS hit(id)
      CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = hit.id OFFSET 0) f`;
    const rows = firstRows(from, [selectionOf(filters, parameters)], { sort, after: null, limit: count }, parameters);
    const listed = await readPage(run, rows, request, parameters);
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

/** A page is found again as often when findings of it change meanwhile. */
const maxAttempts = 5;

/** Returns whether an index of PostgreSQL has the order, and the page at its beginning. */
const isIndexed = ({ filters, sort }: ListRequest) =>
  sort === 'updated_at' ||
  (/^-?(first_seen|updated)_at$/.test(sort) && Object.values(filters).every((value) => value === undefined));

/**
 * Returns a page that columns find and PostgreSQL reads by its ids; null where a plain statement serves: in a small organization, and
 * for lists that an index has while columns are being loaded. A finding that changes meanwhile makes it look again, since a cursor
 * behind the page could skip others. Throws 503 while columns are being loaded.
 */
export async function listFromColumns(
  database: Database,
  orgId: string,
  request: ListRequest,
  columns: ColumnService,
  limits: Partial<ListLimits> = {},
): Promise<ListedFinding[] | null> {
  if (!(await columns.serves(orgId))) return null;
  if (isIndexed(request) && !columns.has(orgId)) {
    // Begins to load them.
    void columns.ask(orgId, 'countFacets', {}, [], { limit: 0 }).catch(() => {});
    return null;
  }
  const service = { ...usualLimits, ...limits, columns };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const page = await findInOrder(database, orgId, request, service);
    if (page !== null) return page;
  }
  return null;
}

async function findInOrder(database: Database, orgId: string, request: ListRequest, service: Service) {
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
    return findPage(runIn(tx), orgId, await movedRequest(tx, orgId, request), service, changedBefore);
  });
}
