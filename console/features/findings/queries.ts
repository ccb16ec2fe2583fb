import type { FindingDetail, FindingGroup, FindingGroupListParams, FindingListParams, Page } from '@assay/client';
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
 * The list, page by page. It is read again only when filters or order change, or when the person asks for new ones:
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

/** Where the code of a data source is; null for one that is not a git repository. */
export const repositoryQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'repository'],
    queryFn: async ({ signal }) => {
      const { kind, config } = await assay.dataSources.get(dataSourceId, { signal });
      return kind === 'git_repository' && 'branch' in config ? { url: config.url, branch: config.branch } : null;
    },
    staleTime: 300_000,
  });

/** The groups of the findings that match, the largest first. */
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

/** Findings that match and were first seen since the second in which the list was loaded: some may be in it, once it is there. */
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

/** Counts the findings of `newerQuery` that are not in the list. */
export function countNew(ids: readonly string[] | undefined, listed: readonly ListedFinding[]): number {
  if (ids === undefined || ids.length === 0) return 0;
  const known = new Set(listed.map(({ id }) => id));
  return ids.filter((id) => !known.has(id)).length;
}
