import { ranksOf, severityName } from '@assay/scanner/contract/severity.ts';
import type { Database, Statement } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, searchOf } from '../filters/select.ts';
import { type Search, searchCondition } from '../shared-texts.ts';
import { leadingFilter } from './choose-walk.ts';
import { narrowed, needsTable, selectsNothing } from './filter-shape.ts';
import { allWords, collectionOfNumbers, findIds, hitStatements, rarestWord } from './list-collections.ts';
import {
  collect,
  findSmallest,
  jsonPage,
  type ListedFinding,
  type Reach,
  type RunStatement,
  runIn,
  walk,
} from './list-steps.ts';
import { type ListRequest, planOnce, walkPage } from './list-walks.ts';
import { movedRequest } from './moved-positions.ts';

/** The findings of a rule, data source or assignee have most of their words in common: either many of the first match, or hardly any. */
const firstOfLead = 500;

/**
 * Common words turn up soon on a walk in the requested order; findings with rare words are few enough to fetch and
 * sort. So: first the index of words, if one of `q` is rare; then a bounded walk, which continues if it has found enough; then the
 * index of words together with that of another filter, or another filter that selects little; then the index of words for all of
 * them together. If these are too many, the last three again, farther. What none of these finds needs the walk to the end.
 */
async function listByWords(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  search: Search | undefined,
  reaches: Reach[],
): Promise<ListedFinding[]> {
  const holds = (parameters: Parameters) => (search === undefined ? [] : [searchCondition(search, parameters)]);
  const holdsFar = (parameters: Parameters) =>
    search === undefined ? [] : [searchCondition(search, parameters, true)];
  const sortHits = (ids: string[]) => {
    const parameters = new Parameters(orgId);
    const from = `unnest(${parameters.add(ids)}::text[]) AS hit(id) JOIN findings f ON f.id = hit.id`;
    return collect(run, orgId, request, { from, conditions: () => ['f.org_id = $1'], byId: true }, holds, parameters);
  };
  const words = search?.words ?? [];
  const rare = words.length > 0 ? await findIds(run, [rarestWord(words)]) : null;
  if (rare) return rare.length === 0 ? [] : sortHits(rare);
  const lead = words.length > 0 ? leadingFilter(request.filters) : undefined;
  const fetchFew = async (reach: Reach) => {
    const smallest = lead ? null : await findSmallest(run, orgId, request, reach);
    if (smallest) return collect(run, orgId, request, smallest, holdsFar);
    const hits = lead
      ? [allWords(words, reach.lookUps, [lead.column, lead.value])]
      : hitStatements(request.filters.package, search, reach.lookUps);
    const ids = await findIds(run, hits);
    return ids && sortHits(ids);
  };
  const found: ListedFinding[] = [];
  let rest = request;
  for (const [index, reach] of reaches.entries()) {
    const window = index === 0 && lead ? Math.min(reach.window, firstOfLead) : reach.window;
    const step = await walk(run, orgId, rest, window, index === 0 ? holds : holdsFar);
    found.push(...step.found);
    const next = await step.findRest();
    if (!next) return found;
    // With so large a share of matches, walking on is shorter than reading all findings with the words, unless they end soon: an
    // entry takes half the time of a look-up.
    const isCommon = step.found.length / window >= request.limit / (2 * reach.lookUps);
    const few = isCommon && index < reaches.length - 1 ? null : await fetchFew(reach);
    if (few) return few;
    rest = next;
    if (request.maxWalk !== undefined) break;
  }
  return [...found, ...(await walk(run, orgId, rest, request.maxWalk ?? null, holdsFar)).found];
}

export type { Position } from './list-order.ts';
export type { ListRequest } from './list-walks.ts';

/**
 * The extent of the steps of a list. The first takes some milliseconds: a look-up by id takes 9 µs, an entry of an index 0.4. The
 * second, half a second at most, saves lists among millions of findings the walk to the end: 2.9 s among ten million, on a slow
 * machine. With words, a walk reads the table, and traits decide how often: most walks to the end take less time than sorting 50,000
 * findings (30 instead of 390 ms among one million). So the second step with words is only for lists that would be given up after
 * 30 seconds; it takes 7.
 */
export const defaultReaches: { filters: Reach[]; words: Reach[] } = {
  filters: [
    { window: 10_000, collection: 20_000, lookUps: 5_000 },
    { window: 100_000, collection: 200_000, lookUps: 50_000 },
  ],
  words: [
    { window: 2_000, collection: 10_000, lookUps: 10_000 },
    { window: 400_000, collection: 200_000, lookUps: 200_000 },
  ],
};

/**
 * Returns the first, and mostly only, statement of a list without words; bench/list-page.ts runs it with pgbench too.
 */
export function pageStatement(orgId: string, request: ListRequest): Statement {
  const parameters = new Parameters(orgId);
  const { window } = defaultReaches.filters[0]!;
  return jsonPage(walkPage(request, parameters, window).sql, request, parameters);
}

/**
 * Two filters may have many findings in common or nearly none, and no statistics show which. So: walk in the requested
 * order, but not far; filters with many in common fill the page there. If they do not, fetch the findings that the
 * rarest filter selects and sort them. If these are many, do both once more, farther, and only then walk to the end.
 * docs/decisions/lists.md explains it.
 */
async function listByFilters(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  reaches: Reach[],
): Promise<ListedFinding[]> {
  const found: ListedFinding[] = [];
  let rest = request;
  for (const [index, reach] of reaches.entries()) {
    const step = await walk(run, orgId, rest, reach.window);
    found.push(...step.found);
    if (step.found.length === rest.limit) return found;
    // Most lists that are not full end in the first window. Behind it, finding the window's end takes longer than counting.
    let next = index === 0 ? await step.findRest() : undefined;
    if (next === null) return found;
    const fillsSoon = step.found.length >= rest.limit / 4;
    const smallest = fillsSoon ? null : await findSmallest(run, orgId, request, reach);
    if (smallest) return collect(run, orgId, request, smallest);
    next ??= await step.findRest();
    if (!next) return found;
    rest = next;
  }
  return [...found, ...(await walk(run, orgId, rest, null)).found];
}

/** Returns a page of findings, each as JSON text, in the requested order. A `q` without any word finds nothing. */
export async function listFindings(
  database: Database,
  orgId: string,
  given: ListRequest,
  reaches = defaultReaches,
): Promise<ListedFinding[]> {
  const request = { ...given, filters: narrowed(given.filters) };
  const search = searchOf(request.filters);
  if (search === null || selectsNothing(request.filters)) return [];
  const list = async (run: RunStatement, from = request) => {
    const narrow = await narrowSeverities(run, orgId, from);
    if (selectsNothing(narrow.filters)) return [];
    const numbered = collectionOfNumbers(narrow.filters);
    if (numbered) return collect(run, orgId, narrow, numbered, (p) => (search ? [searchCondition(search, p)] : []));
    return needsTable(narrow.filters)
      ? listByWords(run, orgId, narrow, search, reaches.words)
      : listByFilters(run, orgId, narrow, reaches.filters);
  };
  if (request.sort !== 'updated_at')
    return list((statement, before = planOnce) => database.single(orgId, statement, [before]));
  return database.transaction(orgId, async (tx) => {
    await setChangeHorizon(tx, orgId);
    return list(runIn(tx), await movedRequest(tx, orgId, request));
  });
}

/**
 * Returns the request with the severities that the findings of its rule, data source or assignee have. Rules have few: a list by priority
 * then passes no findings of severities above them.
 */
async function narrowSeverities<Request extends ListRequest>(
  run: RunStatement,
  orgId: string,
  request: Request,
): Promise<Request> {
  const lead = request.sort === '-priority' ? leadingFilter(request.filters) : undefined;
  if (!lead) return request;
  const parameters = new Parameters(orgId);
  const text = `SELECT severity FROM unnest(${parameters.add(ranksOf(request.filters.severity))}::smallint[]) AS ranks(severity)
    CROSS JOIN LATERAL (SELECT FROM findings f WHERE f.org_id = $1 AND f.${lead.column} = ${parameters.add(lead.value)}
      AND f.severity = ranks.severity LIMIT 1) one`;
  const rows = await run<{ severity: number }>(preparedByText(text, parameters.values));
  return { ...request, filters: { ...request.filters, severity: rows.map(({ severity }) => severityName(severity)) } };
}
