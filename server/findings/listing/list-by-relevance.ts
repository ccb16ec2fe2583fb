import type { Database } from '../../platform/postgres/database.ts';
import { Parameters } from '../filter.ts';
import { preparedByText } from '../filters/select.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import type { ListSort } from '../orders.ts';
import { allOf, wordsOf } from '../words.ts';
import { type ListedFinding, type ListRequest, listFindings, shownJson } from './list-findings.ts';
import { listFromColumns } from './list-from-columns.ts';
import type { Position } from './list-order.ts';

/** The maximum number of matches that are ranked, the newest ones. */
const maxRanked = 500;

/** A matching finding with the inputs of its rank. */
type Candidate = { id: string; firstSeenAt: string; severity: number; title: string; exact: boolean };
export type Ranked = Candidate & { rank: number };

/**
 * Ranks matches, passed newest first. An identifier or rule equal to `q` ranks above all words in the title, and that
 * above words elsewhere; then the most severe first, and of these the newest.
 */
export function rankMatches(words: string[], candidates: Candidate[]): Ranked[] {
  const rankOf = ({ title, exact }: Candidate): number => {
    if (exact) return 2;
    const inTitle = new Set(wordsOf(title));
    return words.every((word) => inTitle.has(word)) ? 1 : 0;
  };
  return candidates
    .map((candidate) => ({ ...candidate, rank: rankOf(candidate) }))
    .sort((a, b) => b.rank - a.rank || b.severity - a.severity);
}

/**
 * Returns the matches after a position: rank, severity, time and id of the last match shown. That match may have
 * changed since, so the function compares positions instead of looking for the match itself.
 */
export function rankedAfter(ranked: Ranked[], [rank, severity, firstSeenAt, id]: Position): Ranked[] {
  const order = [Number(rank), Number(severity), firstSeenAt!, id!] as const;
  const isAfter = (match: Ranked): boolean => {
    const own = [match.rank, match.severity, match.firstSeenAt, match.id] as const;
    const index = own.findIndex((value, at) => value !== order[at]);
    return index >= 0 && own[index]! < order[index]!;
  };
  return ranked.filter(isAfter);
}

/** Fetches findings by id, as JSON. Findings deleted meanwhile are missing. */
async function fetchRanked(database: Database, orgId: string, request: RelevanceRequest, ids: string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const parameters = new Parameters(orgId);
  const { json, joins } = shownJson(request, parameters);
  const text = `SELECT f.id, ${json} AS json FROM findings f ${joins}
    WHERE f.org_id = $1 AND f.id = ANY(${parameters.add(ids)}::text[])`;
  const rows = await database.single<{ id: string; json: string }>(orgId, preparedByText(text, parameters.values));
  return new Map(rows.map((row) => [row.id, row.json]));
}

export type RelevanceRequest = Omit<ListRequest, 'sort' | 'text'>;

/**
 * Returns a page of the newest matches of `q`, most relevant first. Positions include the newest match of the first
 * page, so that findings added later don't change the ranking of later pages.
 */
async function listByRelevance(
  database: Database,
  orgId: string,
  request: RelevanceRequest,
  columns?: ColumnService,
): Promise<ListedFinding[]> {
  const { filters, after, limit } = request;
  const q = filters.q!;
  const newest = after ? [after[4]!, after[5]!] : null;
  const newestMatches: ListRequest = {
    filters,
    sort: '-first_seen_at',
    // `~` sorts after every id character, so the newest match itself is included.
    after: newest && [newest[0]!, `${newest[1]}~`],
    limit: maxRanked,
    text: (parameters) => {
      const whole = `ANY(${parameters.add(q.names)}::text[])`;
      const identifiers = `f.words @@ ${parameters.add(allOf(q.terms))}::tsquery AND EXISTS (
        SELECT FROM json_array_elements_text(f.identifiers) AS item WHERE lower(item) = ${whole})`;
      return `json_build_object('id', f.id, 'firstSeenAt', f.first_seen_at::text, 'severity', f.severity, 'title', f.title,
        'exact', lower(f.rule_id) = ${whole} OR (${identifiers}))::text`;
    },
  };
  const matches = await listPage(database, orgId, newestMatches, columns);
  const ranked = rankMatches(
    wordsOf(q.text),
    matches.map(({ json }) => JSON.parse(json) as Candidate),
  );
  const [first, firstId] = newest ?? matches[0]?.position ?? [];
  const page = (after ? rankedAfter(ranked, after) : ranked).slice(0, limit);
  const texts = await fetchRanked(
    database,
    orgId,
    request,
    page.map(({ id }) => id),
  );
  // A finding was deleted meanwhile. A shorter page would look like the last one.
  if (texts.size < page.length) return listByRelevance(database, orgId, request, columns);
  return page.map(({ rank, severity, firstSeenAt, id }) => ({
    json: texts.get(id)!,
    position: [String(rank), String(severity), firstSeenAt, id, first!, firstId!],
  }));
}

/** Returns a page, found through columns if possible. */
const listPage = async (database: Database, orgId: string, page: ListRequest, columns?: ColumnService) =>
  (columns && (await listFromColumns(database, orgId, page, columns))) ?? listFindings(database, orgId, page);

/**
 * Returns a page of findings in any list order. Without words, as in a search for a number, there is nothing to rank.
 */
export async function listInOrder(
  database: Database,
  orgId: string,
  sort: ListSort,
  request: RelevanceRequest,
  columns?: ColumnService,
): Promise<ListedFinding[]> {
  if (sort === 'relevance' && request.filters.q) return listByRelevance(database, orgId, request, columns);
  return listPage(database, orgId, { ...request, sort: sort === 'relevance' ? '-first_seen_at' : sort }, columns);
}
