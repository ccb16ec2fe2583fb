import { Parameters } from '../filter.ts';
import { type Search, searchCondition } from '../shared-texts.ts';
import { leadingFilter } from './choose-walk.ts';
import { allWords, findIds, hitStatements, rarestWord } from './list-collections.ts';
import { collect, findSmallest, type ListedFinding, type Reach, type RunStatement, walk } from './list-steps.ts';
import type { ListRequest } from './list-walks.ts';

/** The findings of a rule, data source or assignee have most of their words in common: either many of the first match, or hardly any. */
const firstOfLead = 500;

/**
 * Common words turn up soon on a walk in the requested order; findings with rare words are few enough to fetch and
 * sort. So: first the index of words, if one of `q` is rare; then a bounded walk, which continues if it has found enough; then the
 * index of words together with that of another filter, or another filter that selects little; then the index of words for all of
 * them together. If these are too many, the last three again, farther. What none of these finds needs the walk to the end.
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
