import type {
  FindingDetail,
  FindingGroup,
  FindingGroupListParams,
  FindingListParams,
  FindingStatus,
  Page,
} from '@assay/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { unlessLive } from '../../api/live.ts';
import { pagesQuery } from '../../api/pages.ts';
import type { Filters } from '../../filters/filters.ts';
import { filtersAt } from '../../filters/parameters.ts';
import { showRead } from './cache.ts';
import type { ListedFinding } from './listed-finding.ts';
import { facetParameters, type GroupBy, listParameters } from './parameters.ts';

/**
 * The list, page by page. It is loaded again only when filters or order change, or when the person loads new findings:
 * rows never move by themselves.
 */
export const listQuery = (filters: Filters, sort: string, loadedAt: number) =>
  infiniteQueryOptions({
    queryKey: ['findings', 'list', filters, sort, loadedAt],
    queryFn: ({ pageParam, signal }): Promise<Page<ListedFinding>> =>
      assay.findings.list(
        {
          ...listParameters(filters, sort, loadedAt),
          ...(pageParam !== null && { next_cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

export const findingQuery = (id: string) =>
  queryOptions({
    queryKey: ['finding', id],
    queryFn: async ({ signal }): Promise<FindingDetail> => {
      const finding = await assay.findings.get(id, { signal });
      showRead([finding]);
      return finding;
    },
    staleTime: 30_000,
  });

/** The location of a data source's code; null if it is not a git repository. */
export const repositoryQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'repository'],
    queryFn: async ({ signal }) => {
      const { kind, config } = await assay.dataSources.get(dataSourceId, { signal });
      return kind === 'git_repository' && 'branch' in config ? { url: config.url, branch: config.branch } : null;
    },
    staleTime: 300_000,
  });

const maxElsewhere = 5;

/** Other findings of the same rule in the same data source, the most urgent first. */
export const sameRuleQuery = ({ id, rule, data_source: source }: FindingDetail) =>
  queryOptions({
    queryKey: ['findings', 'same-rule', rule.id, source.id, id],
    queryFn: async ({ signal }) => {
      const { data, next_cursor } = await assay.findings.list(
        {
          rule: [rule.id],
          data_source: [source.id],
          sort: '-priority',
          fields: ['id', 'number', 'title', 'status', 'location'],
          limit: maxElsewhere + 1,
        },
        { signal },
      );
      const others = data.filter((other) => other.id !== id);
      return { findings: others.slice(0, maxElsewhere), more: next_cursor !== null || others.length > maxElsewhere };
    },
    staleTime: 60_000,
  });

/** The closed findings that match a filter: their number, and the latest decision. */
export type DecidedBy = {
  status: FindingStatus;
  count: number;
  last: { at: string; name: string | null; comment: string | null } | null;
};

const closed = ['resolved', 'false_positive', 'accepted_risk'] as const;

/** Returns when, by whom and why the most recently changed matching finding was closed. */
async function lastDecision(filters: Filters, status: FindingStatus, except: string): Promise<DecidedBy['last']> {
  const { data } = await assay.findings.list({
    ...(filters as FindingListParams),
    status: [status],
    sort: '-updated_at',
    fields: ['id'],
    limit: 2,
  });
  const found = data.find(({ id }) => id !== except);
  if (!found) return null;
  const { data: entries } = await assay.findings.timeline(found.id, { limit: 100 });
  const decision = entries.findLast(({ changes }) =>
    changes.some(({ field, to }) => field === 'status' && to === status),
  );
  if (!decision) return null;
  const { at, actor, data_source: scanned } = decision;
  // A comment that came with a change follows it.
  const after = entries[entries.indexOf(decision) + 1];
  const reason = after?.comment && after.at === at ? after.comment.comment : null;
  return { at, name: scanned === null ? actor.name : null, comment: reason };
}

/** The filters of the findings whose decisions a finding lists: those of its rule, and those in its package. */
export const ruleFilters = ({ rule }: FindingDetail): Filters => ({ rule: rule.id });
export const packageFilters = ({ location }: FindingDetail): Filters | null =>
  location.package && { package: location.package.name };

const maxRelated = 10;

/** The findings of other scanners about the same problem. */
export const relatedQueries = ({ related }: FindingDetail) =>
  related.slice(0, maxRelated).map((id) => findingQuery(id));

/** Decisions on other findings that match. */
export const decisionsQuery = (filters: Filters, except: string) =>
  queryOptions({
    queryKey: ['findings', 'decisions', filters, except],
    queryFn: async ({ signal }): Promise<DecidedBy[]> => {
      const { facets } = await assay.findings.facets(
        { ...(filters as FindingListParams), field: ['status'] } as never,
        { signal },
      );
      const counts = new Map(
        facets.find(({ field }) => field === 'status')?.values.map((row) => [row.value, row.count]),
      );
      const decided = await Promise.all(
        closed.map(async (status) => {
          const count = counts.get(status) ?? 0;
          return { status, count, last: count === 0 ? null : await lastDecision(filters, status, except) };
        }),
      );
      return decided.filter(({ last }) => last !== null);
    },
    staleTime: 60_000,
  });

/** The first matching findings, up to a number. */
export const firstQuery = (filters: Filters, sort: string, loadedAt: number, limit: number) =>
  queryOptions({
    queryKey: ['findings', 'first', filters, sort, loadedAt, limit],
    queryFn: async ({ signal }): Promise<ListedFinding[]> =>
      (await assay.findings.list({ ...listParameters(filters, sort, loadedAt), limit }, { signal })).data,
  });

/** The groups of the matching findings, the largest first. */
export const groupPages = (filters: Filters, by: GroupBy, loadedAt: number) =>
  pagesQuery<FindingGroup>(['findings', 'groups', by, filters, loadedAt], (cursor, options) =>
    assay.findings.groups(
      { ...(filtersAt(filters, loadedAt) as Partial<FindingGroupListParams>), by, limit: 100, ...cursor },
      options,
    ),
  );

/** Counts for the rail: each field under all the other filters. */
export const facetsQuery = (filters: Filters, loadedAt: number) =>
  queryOptions({
    queryKey: ['findings', 'facets', filters, loadedAt],
    queryFn: ({ signal }) => assay.findings.facets(facetParameters(filters, loadedAt) as never, { signal }),
    placeholderData: keepPreviousData,
  });

/** The latest bulk changes. */
export const bulkOperationsQuery = queryOptions({
  queryKey: ['bulk-operations'],
  queryFn: async ({ signal }) => (await assay.bulkOperations.list({ limit: 20 }, { signal })).data,
});

/** Matching findings first seen since the second in which the list was loaded. Some of them may be in the list. */
export const newerQuery = (filters: Filters, loadedAt: number, isListed: boolean) =>
  queryOptions({
    queryKey: ['findings', 'newer', filters, loadedAt],
    queryFn: async ({ signal }) => {
      const from = new Date(loadedAt).toISOString().replace(/\.\d+Z$/, 'Z');
      const page = await assay.findings.list(
        {
          ...(filtersAt(filters, loadedAt) as FindingListParams),
          from,
          fields: ['id'],
          limit: 100,
        },
        { signal },
      );
      return { ids: page.data.map(({ id }) => id), more: page.next_cursor !== null };
    },
    enabled: isListed && !filters.to,
    refetchInterval: () => unlessLive(30_000),
  });

/** Counts the findings from `newerQuery` that are not in the list. */
export function countNew(ids: readonly string[] | undefined, listed: readonly ListedFinding[]): number {
  if (ids === undefined || ids.length === 0) return 0;
  const known = new Set(listed.map(({ id }) => id));
  return ids.filter((id) => !known.has(id)).length;
}
