import type { Database, Statement } from '../platform/database.ts';
import { setChangeHorizon } from './change-clock.ts';
import { Parameters, preparedByText } from './filters.ts';
import { findingJoins, findingJson } from './finding-sql.ts';
import { orderBy, orders, type Position, type Sort } from './list-order.ts';
import {
  type Collection,
  collectionsOf,
  collectPage,
  countCollections,
  type ListRequest,
  type WalkPage,
  walkPage,
} from './list-walks.ts';
import { wordQuery } from './words.ts';

export { type Position, type Sort, sorts } from './list-order.ts';
export type { ListRequest } from './list-walks.ts';

export type ListedFinding = { json: string; position: Position };

type RunStatement = <Row extends object>(statement: Statement) => Promise<Row[]>;
type KeyedRow = { json: string; k0: string; k1: string; k2: string };

function jsonPage(page: string, sort: Sort, parameters: Parameters): Statement {
  const order = orders[sort];
  const keys = order.columns.map((column, index) => `f.${column}::text AS k${index}`).join(', ');
  const text = `SELECT ${findingJson()} AS json, ${keys} FROM (${page}) f ${findingJoins} ORDER BY ${orderBy(order)}`;
  return preparedByText(text, parameters.values);
}

async function runPage(run: RunStatement, page: string, sort: Sort, parameters: Parameters): Promise<ListedFinding[]> {
  const rows = await run<KeyedRow>(jsonPage(page, sort, parameters));
  return rows.map((row) => ({
    json: row.json,
    position: orders[sort].columns.length === 2 ? [row.k0, row.k1] : [row.k0, row.k1, row.k2],
  }));
}

/** The statement that a list without words begins with, and mostly ends: what bench/list-page.ts gives to pgbench as well. */
export function pageStatement(orgId: string, request: ListRequest): Statement {
  const parameters = new Parameters(orgId);
  return jsonPage(walkPage(request, parameters, walkWindow).sql, request.sort, parameters);
}

/** Entries of an index that a first walk reads at most: a few milliseconds. */
const walkWindow = 10_000;
/** A collection of more entries than this is not worth sorting: rather the long walk. */
const largestCollection = 50_000;

/** The smallest collection, if one is small enough. */
async function findSmallest(run: RunStatement, orgId: string, { filters }: ListRequest): Promise<Collection | null> {
  const collections = collectionsOf(filters);
  if (collections.length === 0) return null;
  const parameters = new Parameters(orgId);
  const text = countCollections(collections, parameters, largestCollection);
  const [row] = await run<Record<string, number>>(preparedByText(text, parameters.values));
  const costs = collections.map(({ cost }, index) => row![`c${index}`]! * cost);
  const least = Math.min(...costs);
  return least < largestCollection ? collections[costs.indexOf(least)]! : null;
}

/**
 * What two filters have in common may be much or next to nothing, and no statistics tell. So: walk in the order asked for,
 * but not far; what much has in common fills the page there. If it does not, fetch what the rarest filter selects and sort
 * it; only where all filters select much is the walk taken to its end.
 */
async function listByFilters(run: RunStatement, orgId: string, request: ListRequest): Promise<ListedFinding[]> {
  const near = new Parameters(orgId);
  const first: WalkPage = walkPage(request, near, walkWindow);
  const found = await runPage(run, first.sql, request.sort, near);
  if (first.exact || found.length === request.limit) return found;
  const smallest = await findSmallest(run, orgId, request);
  const far = new Parameters(orgId);
  const page = smallest ? collectPage(request, far, smallest) : walkPage(request, far, null).sql;
  return runPage(run, page, request.sort, far);
}

const rareWords = 10_000;

/**
 * Common words show up soon when walking in the order asked for; rare ones are few enough to fetch and sort. So: a bounded
 * walk first, then the word index; words that are neither (frequent, but not where the other filters look) take the long walk.
 */
async function listByWords(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  query: string,
): Promise<ListedFinding[]> {
  const holds = (parameters: Parameters) => [`f.words @@ ${parameters.add(query)}::tsquery`];
  const near = new Parameters(orgId);
  const found = await runPage(run, walkPage(request, near, walkWindow, holds).sql, request.sort, near);
  if (found.length === request.limit) return found;
  const far = new Parameters(orgId);
  const [rare] = await run<{ ids: string[] }>({
    name: 'findings_with_words',
    text: 'SELECT COALESCE(array_agg(id), ARRAY[]::text[]) AS ids FROM findings_with_words($1::tsquery, $2) AS id',
    values: [query, rareWords],
  });
  if (rare!.ids.length === rareWords) {
    return runPage(run, walkPage(request, far, null, holds).sql, request.sort, far);
  }
  const hits = `unnest(${far.add(rare!.ids)}::text[]) AS hit(id) JOIN findings f ON f.id = hit.id`;
  return runPage(run, collectPage(request, far, { from: hits, conditions: () => [], cost: 1 }), request.sort, far);
}

/** A page of findings, each as JSON text, in the order asked for. A `q` without a word in it finds nothing. */
export async function listFindings(database: Database, orgId: string, request: ListRequest): Promise<ListedFinding[]> {
  const query = request.filters.q === undefined ? undefined : wordQuery(request.filters.q);
  if (query === null) return [];
  const list = (run: RunStatement) =>
    query === undefined ? listByFilters(run, orgId, request) : listByWords(run, orgId, request, query);
  if (request.sort !== 'updated_at') return list((statement) => database.single(orgId, statement));
  return database.transaction(orgId, async (tx) => {
    await tx.query(setChangeHorizon);
    return list(async <Row extends object>(statement: Statement) => (await tx.query<Row>(statement)).rows);
  });
}
