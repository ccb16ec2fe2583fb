import { Parameters } from '../filters.ts';
import { type Search, searchCondition } from '../shared-texts.ts';
import { allWords, hitStatements, rarestWord } from './list-collections.ts';
import type { ListedFinding, Reach, RunStatement } from './list-steps.ts';
import { collect, findSmallest, walk } from './list-steps.ts';
import { type ListRequest, leadingFilter } from './list-walks.ts';

type Hits = { ids: string[] | null };

/** Returns the ids of all findings of the packages, or else with the words, if there are at most `max`. */
async function findHits(run: RunStatement, packages: string[] | undefined, search: Search | undefined, max: number) {
  for (const statement of hitStatements(packages, search, max)) {
    const [row] = await run<Hits>(statement);
    if (row!.ids) return row!.ids;
  }
  return null;
}

/**
 * Common words turn up soon on a walk in the requested order; findings with rare words are few enough to fetch and
 * sort. So: first the index of words, if one of `q` is rare; then a bounded walk, which goes on if it has found enough; then the
 * index of words together with that of another filter, or another filter that selects little; then the index of words for all of
 * them together. What none of these finds needs the walk to the end.
 */
export async function listByWords(
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
    return collect(run, orgId, request, { from, conditions: () => ['f.org_id = $1'], cost: 1 }, holds, parameters);
  };
  const words = search?.words ?? [];
  if (words.length > 0) {
    const [rare] = await run<Hits>(rarestWord(words));
    if (rare!.ids) return rare!.ids.length === 0 ? [] : sortHits(rare!.ids);
  }
  const lead = words.length > 0 ? leadingFilter(request.filters) : undefined;
  const found: ListedFinding[] = [];
  let rest = request;
  for (const [index, { window, collection }] of reaches.entries()) {
    const step = await walk(run, orgId, rest, window, index === 0 ? holds : holdsFar);
    found.push(...step.found);
    if (!step.rest) return found;
    rest = step.rest;
    // With so large a share of matches, walking on is shorter than reading all findings with the words.
    if (step.found.length / window >= request.limit / collection) continue;
    if (lead) {
      const [both] = await run<Hits>(allWords(words, collection, [lead.column, lead.value]));
      if (both!.ids) return sortHits(both!.ids);
      continue;
    }
    const smallest = await findSmallest(run, orgId, request, collection);
    if (smallest) return collect(run, orgId, request, smallest, holdsFar);
    const ids = await findHits(run, request.filters.package, search, collection);
    if (ids) return sortHits(ids);
  }
  return [...found, ...(await walk(run, orgId, rest, request.maxWalk ?? null, holdsFar)).found];
}
