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

/** The limits that decide how a page is found; tests use others. */
export type ListLimits = {
  /** Up to this many findings with the words are looked up by id. */
  maxRare: number;
  /** After this many findings with too few matches, the index of words is read instead. */
  maxTried: number;
  /** Whether the matches among these findings are enough: the index is not read. */
  stops?: boolean;
};
const usualLimits: ListLimits = { maxRare: 2_000, maxTried: 20_000 };

const keyColumns: Record<Exclude<OrderColumn, 'id'>, OrderKey[number]> = {
  severity: 'severity',
  priority: 'priority',
  first_seen_at: 'firstSeenAt',
  updated_at: 'updatedAt',
  due_at: 'dueAt',
};

/** Returns the numbers of a position, in the units of columns. */
const numbersOf = (columns: readonly OrderColumn[], position: Position): number[] =>
  columns.flatMap((column, index) => {
    if (column === 'id') return [];
    return column.endsWith('_at') ? readMicroseconds(position[index]!) : Number(position[index]);
  });

type Service = ListLimits & { columns: ColumnService };
type Candidate = { id: string; numbers: number[] };
type Place = Pick<Candidate, 'id' | 'numbers'> | null;

/** For words that are not rare, the findings of this many pages are tried first. */
const firstPages = 4;

/** Returns a page found through columns and read by statements; null if it can't be found that way. */
async function findPage(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  { columns: service, maxRare, maxTried, stops }: Service,
  changedBefore?: string,
): Promise<ListedFinding[] | null> {
  const { filters, sort, after, limit } = request;
  const { columns, descending } = orders[sort];
  const key = columns.filter((column) => column !== 'id').map((column) => keyColumns[column]);
  const before = changedBefore === undefined ? undefined : readMicroseconds(changedBefore);

  /** Returns the next findings that match all filters: those that columns evaluate, and those in `found`. */
  async function ask(place: Place, count: number, found: Found[]): Promise<Candidate[] | null> {
    const question = { key, descending, after: place, limit: count, changedBefore: before, found };
    return service.ask(orgId, 'findPage', filters, question);
  }

  /**
   * Reads matching findings, at most `count`. Null if a finding's position has changed or, with `all`, if one is
   * missing.
   */
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
  if (rare?.ids.length === 0) return [];
  if (rare !== null) return readAll(start, limit, [...found, rare]);
  // Words that are not rare are soon found in list order, unless other filters leave hardly any findings with them.
  const listed: ListedFinding[] = [];
  let place: Place = start;
  for (let tried = 0, count = firstPages * limit; tried < maxTried && tried + count <= maxTried; ) {
    const candidates = await ask(place, count, found);
    const page = candidates && (await read(candidates, limit - listed.length, false));
    if (candidates === null || page === null) return null;
    listed.push(...page);
    if (listed.length === limit || candidates.length < count) return listed;
    place = candidates.at(-1)!;
    tried += count;
    const likelyEnough = Math.ceil((2 * tried * (limit - listed.length)) / listed.length);
    count = stops ? Math.min(likelyEnough, maxTried - tried) : likelyEnough;
  }
  if (stops) return listed;
  const rest = await readAll(place, limit - listed.length, [...found, await findFrequent(run, orgId, q)]);
  return rest && [...listed, ...rest];
}

/** The number of times that a page is found again when its findings change meanwhile. */
const maxAttempts = 5;

/** Returns whether PostgreSQL has an index for the order, with the page at its start. */
const isIndexed = ({ filters, sort }: ListRequest) =>
  sort === 'updated_at' ||
  (/^-?(first_seen|updated)_at$/.test(sort) && Object.values(filters).every((value) => value === undefined));

/**
 * Returns a page that is found through columns and read from PostgreSQL by id. Returns null where a plain statement is
 * better: in a small organization, and for lists with an index while columns are being loaded. If a finding changes
 * meanwhile, the page is found again, since a cursor after it could skip other findings. Throws 503 while columns are
 * being loaded.
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
    // Starts loading them.
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
  // Columns are queried after the horizon is read, so that they have every change before it.
  return database.transaction(orgId, async (tx) => {
    const changedBefore = await setChangeHorizon(tx, orgId);
    return findPage(runIn(tx), orgId, await movedRequest(tx, orgId, request), service, changedBefore);
  });
}
