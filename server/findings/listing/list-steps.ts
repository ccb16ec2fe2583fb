import type { Statement } from '../../platform/postgres/database.ts';
import { Parameters, preparedByText } from '../filters.ts';
import { chosenJson, findingFields, findingJoins, findingJson } from '../finding-sql.ts';
import { type Collection, collectionsOf, collectPage, countCollections } from './list-collections.ts';
import { orderBy, orders, type Position, type Sort } from './list-order.ts';
import { keysAsText, type ListRequest, mergeRanges, planOnce, type WalkPage, walkPage } from './list-walks.ts';

/** How far one step of a list reaches. */
export type Reach = {
  /** The maximum number of index entries that a walk reads. */
  window: number;
  /** The maximum number of findings that are fetched and sorted instead. */
  collection: number;
};

/** Above this, a window is as good as none to the planner. */
const largestUnmerged = 10_000;

export type ListedFinding = { json: string; position: Position };

/** Runs a statement, after `before` in the same transaction. */
export type RunStatement = <Row extends object>(statement: Statement, before?: Statement) => Promise<Row[]>;
type Key = { k0: string; k1: string; k2: string };
type KeyedRow = Key & { json: string };

const positionOf = ({ k0, k1, k2 }: Key, { sort }: ListRequest): Position =>
  orders[sort].columns.length === 2 ? [k0, k1] : [k0, k1, k2];

/** Returns SQL of the JSON of a finding `f`, and the joins that it needs. */
export function shownJson({ members, fields }: Pick<ListRequest, 'members' | 'fields'>, parameters: Parameters) {
  if (!fields) return { json: findingJson(members), joins: findingJoins };
  const chosen = parameters.add(findingFields.map((field) => fields.includes(field)));
  const { json, join } = chosenJson(`${chosen}::boolean[]`);
  return { json, joins: `${findingJoins} ${join}` };
}

export function jsonPage(page: string, request: ListRequest, parameters: Parameters): Statement {
  const { sort, members, fields } = request;
  const order = orders[sort];
  const { json, joins } = request.text
    ? { json: request.text(parameters), joins: '' }
    : shownJson({ members, fields }, parameters);
  const text = `SELECT ${json} AS json, ${keysAsText(order)} FROM (${page}) f ${joins} ORDER BY ${orderBy(order)}`;
  return preparedByText(text, parameters.values);
}

type Page = { sql: string; merges?: boolean };

async function runPage(
  run: RunStatement,
  page: Page,
  request: ListRequest,
  parameters: Parameters,
): Promise<ListedFinding[]> {
  const rows = await run<KeyedRow>(jsonPage(page.sql, request, parameters), page.merges ? mergeRanges : planOnce);
  return rows.map((row) => ({ json: row.json, position: positionOf(row, request) }));
}

/** Returns the end of a walk that stopped at its window, so that there may be more matches; null for a walk to the end. */
async function findCut(run: RunStatement, orgId: string, request: ListRequest, { findCut, merges }: WalkPage) {
  if (!findCut) return null;
  const parameters = new Parameters(orgId);
  const statement = preparedByText(findCut(parameters), parameters.values);
  const [last, next] = await run<Key>(statement, merges ? mergeRanges : planOnce);
  return last && next ? positionOf(last, request) : null;
}

/** Adds conditions on the findings to those of the filters. */
type Also = (parameters: Parameters) => string[];

/**
 * Walks at most so many entries (null: to the end). `rest` is what remains of the request: the page behind them; null when nothing
 * remains.
 */
export async function walk(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  window: number | null,
  also?: Also,
): Promise<{ found: ListedFinding[]; rest: ListRequest | null }> {
  const parameters = new Parameters(orgId);
  const page = walkPage(request, parameters, window, also);
  // With a large window or none, a planner that knows no values expects few matches, and would read and sort everything.
  const merges = page.merges || window === null || window > largestUnmerged;
  const found = await runPage(run, { ...page, merges }, request, parameters);
  const cut = found.length < request.limit ? await findCut(run, orgId, request, { ...page, merges }) : null;
  return { found, rest: cut && { ...request, after: cut, limit: request.limit - found.length } };
}

/** Returns the page by sorting the whole collection. */
export function collect(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  collection: Collection,
  also?: Also,
  parameters = new Parameters(orgId),
): Promise<ListedFinding[]> {
  return runPage(run, { sql: collectPage(request, parameters, collection, also) }, request, parameters);
}

/** The keys of these orders are in one index each: a collection by any other is read in the table. */
const readsTable = (sort: Sort) => sort === 'due_at' || sort === '-priority';
/**
 * The maximum size of a collection that is read in the table, as those of tags are: among ten million findings that takes 10 µs for
 * each instead of 0.4 from an index, so that walking 25 times as many entries costs no more.
 */
const largestInTable = 20_000;

/** Finds the collection that costs least, if one has fewer than `limit` entries. */
export async function findSmallest(run: RunStatement, orgId: string, request: ListRequest, limit: number) {
  const collections = collectionsOf(request.filters);
  if (collections.length === 0) return null;
  const maxOf = ({ cost }: Collection) =>
    readsTable(request.sort) || cost > 1 ? Math.min(limit, largestInTable) : limit;
  const parameters = new Parameters(orgId);
  const text = countCollections(collections, parameters, Math.max(...collections.map(maxOf)));
  const [row] = await run<Record<string, number>>(preparedByText(text, parameters.values));
  const fitting = collections
    .map((collection, index) => ({ collection, cost: row![`c${index}`]! * collection.cost }))
    .filter(({ collection, cost }) => cost < maxOf(collection));
  return fitting.sort((a, b) => a.cost - b.cost)[0]?.collection ?? null;
}
