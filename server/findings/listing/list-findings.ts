import type { Database, Statement } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';
import { Parameters, preparedByText, searchOf } from '../filters.ts';
import { chosenJson, findingFields, findingJoins, findingJson } from '../finding-sql.ts';
import { type Search, searchCondition } from '../shared-texts.ts';
import { narrowed, needsTable, selectsNothing } from './filter-shape.ts';
import {
  allWords,
  collectionsOf,
  collectPage,
  countCollections,
  hitStatements,
  rarestWord,
} from './list-collections.ts';
import { orderBy, orders, type Position } from './list-order.ts';
import {
  keysAsText,
  type ListRequest,
  leadingFilter,
  mergeRanges,
  planOnce,
  type WalkPage,
  walkPage,
} from './list-walks.ts';

export { type Position, type Sort, sorts } from './list-order.ts';
export type { ListRequest } from './list-walks.ts';

export type ListedFinding = { json: string; position: Position };

/** Runs a statement, after `before` in the same transaction. */
type RunStatement = <Row extends object>(statement: Statement, before?: Statement) => Promise<Row[]>;
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

function jsonPage(page: string, request: ListRequest, parameters: Parameters): Statement {
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

/**
 * Returns the first, and mostly only, statement of a list without words; bench/list-page.ts runs it with pgbench too.
 */
export function pageStatement(orgId: string, request: ListRequest): Statement {
  const parameters = new Parameters(orgId);
  return jsonPage(walkPage(request, parameters, walkWindow).sql, request, parameters);
}

/** The maximum number of index entries that a first walk reads: a few milliseconds. */
const walkWindow = 10_000;
/** The same for a walk with words, which must read the table for most entries. */
const wordWindow = 2_000;
/** Above this number of entries a collection is not worth sorting, and the long walk is better. */
const largestCollection = 20_000;

/** Finds the smallest collection, if one has fewer than `max` entries. */
async function findSmallest(run: RunStatement, orgId: string, request: ListRequest, max: number) {
  const collections = collectionsOf(request.filters);
  if (collections.length === 0) return null;
  const parameters = new Parameters(orgId);
  const text = countCollections(collections, parameters, max);
  const [row] = await run<Record<string, number>>(preparedByText(text, parameters.values));
  const costs = collections.map(({ cost }, index) => row![`c${index}`]! * cost);
  const least = Math.min(...costs);
  return least < max ? collections[costs.indexOf(least)]! : null;
}

/** Returns the end of a walk that stopped at its window, so that there may be more matches; null for a walk to the end. */
async function findCut(run: RunStatement, orgId: string, request: ListRequest, { findCut, merges }: WalkPage) {
  if (!findCut) return null;
  const parameters = new Parameters(orgId);
  const statement = preparedByText(findCut(parameters), parameters.values);
  const [last, next] = await run<Key>(statement, merges ? mergeRanges : planOnce);
  return last && next ? positionOf(last, request) : null;
}

/** Continues a walk behind what it has found. */
async function walkOn(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  { found, cut }: { found: ListedFinding[]; cut: Position },
  also?: (parameters: Parameters) => string[],
): Promise<ListedFinding[]> {
  const rest = { ...request, after: cut, limit: request.limit - found.length };
  const parameters = new Parameters(orgId);
  const { sql } = walkPage(rest, parameters, request.maxWalk ?? null, also);
  // Without a window, a planner that knows no values expects few matches, and would read and sort everything.
  return [...found, ...(await runPage(run, { sql, merges: true }, rest, parameters))];
}

/**
 * Two filters may have many findings in common or nearly none, and no statistics show which. So: walk in the requested
 * order, but not far; filters with many in common fill the page there. If they do not, fetch the findings that the
 * rarest filter selects and sort them. Walk to the end only when every filter selects many. docs/decisions/lists.md
 * explains it.
 */
async function listByFilters(run: RunStatement, orgId: string, request: ListRequest): Promise<ListedFinding[]> {
  const near = new Parameters(orgId);
  const first = walkPage(request, near, walkWindow);
  const found = await runPage(run, first, request, near);
  const cut = found.length < request.limit ? await findCut(run, orgId, request, first) : null;
  if (!cut) return found;
  const isNear = found.length >= request.limit / 4;
  const smallest = isNear ? null : await findSmallest(run, orgId, request, largestCollection);
  if (!smallest) return walkOn(run, orgId, request, { found, cut });
  const far = new Parameters(orgId);
  return runPage(run, { sql: collectPage(request, far, smallest) }, request, far);
}

/** Findings with words are read from the table one by one, so the limit is lower. */
const rareWords = 10_000;

type Hits = { ids: string[] | null };

/** Returns the ids of all findings of the packages, or else with the words, if there are at most `rareWords`. */
async function findHits(run: RunStatement, packages: string[] | undefined, search: Search | undefined) {
  for (const statement of hitStatements(packages, search, rareWords)) {
    const [row] = await run<Hits>(statement);
    if (row!.ids) return row!.ids;
  }
  return null;
}

/** With a larger share of matches in the first window, walking on is shorter than reading all findings with the words. */
const isCommon = (found: number, limit: number) => found / wordWindow >= limit / rareWords;

/**
 * Common words turn up soon on a walk in the requested order; findings with rare words are few enough to fetch and
 * sort. So: first the index of words, if one of `q` is rare; then a bounded walk, which goes on if it has found enough; then the
 * index of words together with that of another filter, or another filter that selects little; then the index of words for all of
 * them together. Words that are frequent, but not among the findings of the other filters, need the long walk.
 */
async function listByWords(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  search: Search | undefined,
): Promise<ListedFinding[]> {
  const holds = (parameters: Parameters) => (search === undefined ? [] : [searchCondition(search, parameters)]);
  const holdsFar = (parameters: Parameters) =>
    search === undefined ? [] : [searchCondition(search, parameters, true)];
  const far = new Parameters(orgId);
  const sortHits = (ids: string[]) => {
    const hits = `unnest(${far.add(ids)}::text[]) AS hit(id) JOIN findings f ON f.id = hit.id`;
    const page = collectPage(request, far, { from: hits, conditions: () => ['f.org_id = $1'], cost: 1 }, holds);
    return runPage(run, { sql: page }, request, far);
  };
  if (search && search.words.length > 0) {
    const [rare] = await run<Hits>(rarestWord(search.words));
    if (rare!.ids) return rare!.ids.length === 0 ? [] : sortHits(rare!.ids);
  }
  const near = new Parameters(orgId);
  const first = walkPage(request, near, wordWindow, holds);
  const found = await runPage(run, first, request, near);
  const cut = found.length < request.limit ? await findCut(run, orgId, request, first) : null;
  if (!cut) return found;
  if (isCommon(found.length, request.limit)) return walkOn(run, orgId, request, { found, cut }, holdsFar);
  const lead = search && search.words.length > 0 && leadingFilter(request.filters);
  if (lead) {
    const [both] = await run<Hits>(allWords(search.words, rareWords, [lead.column, lead.value]));
    return both!.ids ? sortHits(both!.ids) : walkOn(run, orgId, request, { found, cut }, holdsFar);
  }
  const smallest = await findSmallest(run, orgId, request, rareWords);
  if (smallest) return runPage(run, { sql: collectPage(request, far, smallest, holdsFar) }, request, far);
  const ids = await findHits(run, request.filters.package, search);
  return ids ? sortHits(ids) : walkOn(run, orgId, request, { found, cut }, holdsFar);
}

/** Returns a page of findings, each as JSON text, in the requested order. A `q` without any word finds nothing. */
export async function listFindings(database: Database, orgId: string, given: ListRequest): Promise<ListedFinding[]> {
  const request = { ...given, filters: narrowed(given.filters) };
  const search = searchOf(request.filters);
  if (search === null || selectsNothing(request.filters)) return [];
  const list = (run: RunStatement) =>
    needsTable(request.filters) ? listByWords(run, orgId, request, search) : listByFilters(run, orgId, request);
  if (request.sort !== 'updated_at')
    return list((statement, before = planOnce) => database.single(orgId, statement, [before]));
  return database.transaction(orgId, async (tx) => {
    await setChangeHorizon(tx, orgId);
    return list(async <Row extends object>(statement: Statement, before: Statement = planOnce) => {
      await tx.query(before);
      return (await tx.query<Row>(statement)).rows;
    });
  });
}
