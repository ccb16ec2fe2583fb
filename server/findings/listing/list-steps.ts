import type { Db, Statement } from '../../platform/postgres/database.ts';
import { Parameters } from '../filter.ts';
import { preparedByText } from '../filters/select.ts';
import { chosenJson, findingFields, findingJoins, findingJson } from '../finding-sql.ts';
import { orders } from '../orders.ts';
import {
  type Collection,
  collectionsOf,
  collectPage,
  countCollections,
  countPossible,
  looksUpKeys,
} from './list-collections.ts';
import { orderBy, type Position } from './list-order.ts';
import { keysAsText, type ListRequest, mergeRanges, planOnce, type WalkPage, walkPage } from './list-walks.ts';

/** The extent of one step of a list. */
export type Reach = {
  /** The maximum number of index entries that a walk reads. */
  window: number;
  /** Collections of fewer index entries are fetched and sorted instead. */
  collection: number;
  /** The same for findings that are looked up by their ids. */
  lookUps: number;
};

/** The planner treats a window above this as none. */
const maxUnmergedWindow = 10_000;

export type ListedFinding = { json: string; position: Position };

/** Runs a statement, after `before` in the same transaction. */
export type RunStatement = <Row extends object>(statement: Statement, before?: Statement) => Promise<Row[]>;

/** Runs statements in a transaction. */
export const runIn =
  (tx: Db): RunStatement =>
  async <Row extends object>(statement: Statement, before: Statement = planOnce) => {
    await tx.query(before);
    return (await tx.query<Row>(statement)).rows;
  };

type Key = { k0: string; k1: string; k2: string };
export type KeyedRow = Key & { json: string };

export const positionOf = ({ k0, k1, k2 }: Key, { sort }: ListRequest): Position =>
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
 * Walks at most so many entries (null: to the end). `findRest` returns what remains of the request, the page behind them; null when
 * nothing remains. It reads the entries once more.
 */
export async function walk(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  window: number | null,
  also?: Also,
): Promise<{ found: ListedFinding[]; findRest: () => Promise<ListRequest | null> }> {
  const parameters = new Parameters(orgId);
  const page = walkPage(request, parameters, window, also);
  // With a large window or none, a planner that knows no values expects few matches, and would read and sort everything.
  const merges = page.merges || window === null || window > maxUnmergedWindow;
  const found = await runPage(run, { ...page, merges }, request, parameters);
  const findRest = async () => {
    const cut = found.length < request.limit ? await findCut(run, orgId, request, { ...page, merges }) : null;
    return cut && { ...request, after: cut, limit: request.limit - found.length };
  };
  return { found, findRest };
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

/** Looking up a finding by its id takes as long as reading so many entries of an index: 9 and 0.4 µs. */
const entriesPerLookUp = 20;

/** Finds the collection that takes least time to sort, if one is within reach. */
export async function findSmallest(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  { collection: maxEntries, lookUps }: Reach,
): Promise<Collection | null> {
  const collections = collectionsOf(request.filters);
  if (collections.length === 0) return null;
  const sized = new Parameters(orgId);
  const [sizes] = await run<Record<string, number>>(
    preparedByText(countCollections(collections, sized, maxEntries), sized.values),
  );
  const [smallest] = collections
    .map((collection, index) => ({
      collection,
      size: sizes![`c${index}`]!,
      each: collection.byId ? entriesPerLookUp : 1,
    }))
    .filter(({ collection, size }) => size < (collection.byId ? lookUps : maxEntries))
    .sort((a, b) => a.size * a.each - b.size * b.each);
  if (!smallest) return null;
  const { collection } = smallest;
  if (!looksUpKeys(request, collection)) return collection;
  const counted = new Parameters(orgId);
  const [possible] = await run<{ count: number }>(
    preparedByText(countPossible(request, counted, collection), counted.values),
  );
  return possible!.count < lookUps ? collection : null;
}
