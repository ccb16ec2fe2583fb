import type { Finding, FindingListParams, FindingSummary } from '@assay/client';
import { queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { isEmptyOrganization } from '../../api/emptiness.ts';
import { openFindings } from '../../api/summary-parameters.ts';
import type { Filters } from '../../filters/filters.ts';
import { filtersAt } from '../../filters/parameters.ts';
import type { ListView } from '../findings/views.ts';
import { expiringParameters } from './parameters.ts';

const dayMs = 86_400_000;

const daysAgo = (days: number) => new Date(serverNow() - days * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');

type Age = FindingSummary['by_age'][number];
type AgeBand = { name: string; search: Record<string, string>; counts: Age['by_severity'] };

/** The bands of age with their names and the filters that select the same findings. */
export function bandsOf(ages: readonly Age[]): AgeBand[] {
  return ages.map(({ up_to_days: last, by_severity: counts }, index) => {
    const before = ages[index - 1]?.up_to_days ?? 0;
    const search: Record<string, string> = {};
    if (last !== null) search.from = daysAgo(last);
    if (before > 0) search.to = daysAgo(before);
    const name =
      last === null ? `Over ${before} days` : before === 0 ? `Up to ${last} days` : `${before} to ${last} days`;
    return { name, search, counts };
  });
}

const maxWaiting = 5;

export type WaitingFindings = {
  findings: Pick<Finding, 'id' | 'title' | 'severity' | 'location' | 'due_at'>[];
  total: number;
};

/** The most urgent findings of a view of the list, and their total number. */
export const waitingQuery = ({ id, filters, sort }: Pick<ListView, 'id' | 'filters' | 'sort'>) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'waiting', id],
    queryFn: async ({ signal }): Promise<WaitingFindings> => {
      const { data, next_cursor } = await assay.findings.list(
        {
          ...(filtersAt(filters, serverNow()) as FindingListParams),
          sort: (sort ?? '-priority') as NonNullable<FindingListParams['sort']>,
          fields: ['id', 'title', 'severity', 'location', 'due_at'],
          limit: maxWaiting,
        },
        { signal },
      );
      return { findings: data, total: next_cursor === null ? data.length : await countOf(filters, signal) };
    },
  });

/** Counts the matching findings. */
async function countOf(filters: Filters, signal: AbortSignal): Promise<number> {
  const parameters = { ...filtersAt(filters, serverNow()), field: ['severity'] } as never;
  return (await assay.findings.facets(parameters, { signal })).total;
}

export const totalQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'total', filters],
    queryFn: ({ signal }) => countOf(filters, signal),
  });

/** The number of days that the table of changes covers. */
export const week = 7;
/** The days over which repairs are measured, and compared with as many before. */
export const repairDays = 28;

/** Reads the findings opened and closed in the last days, and the times to fix. */
export const progressQuery = (days: number) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'progress', days],
    queryFn: ({ signal }) => assay.findings.progress({ days }, { signal }),
  });

/** The open findings of data sources or rules by id. */
export const openByQuery = (field: 'data_source' | 'rule', ids: string[]) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'open by', field, ids],
    queryFn: async ({ signal }) => {
      const parameters = { ...filtersAt(openFindings, serverNow()), [field]: ids, field: [field] } as never;
      const { facets } = await assay.findings.facets(parameters, { signal });
      const counts = new Map(facets[0]!.values.map(({ value, count }) => [value, count]));
      return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
    },
    enabled: ids.length > 0,
  });

/** The data sources with most overdue findings. */
export const mostOverdueQuery = queryOptions({
  queryKey: ['findings', 'overview', 'most overdue'],
  queryFn: async ({ signal }) => {
    const parameters = { ...filtersAt({ ...openFindings, overdue: 'true' }, serverNow()), field: ['data_source'] };
    const { facets } = await assay.findings.facets(parameters as never, { signal });
    const rows = facets[0]!.values.map(({ value, label, count }) => ({ id: value, name: label ?? value, count }));
    return rows
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 5);
  },
});

/** Accepted risks that reopen within a month. */
export const expiringQuery = queryOptions({
  queryKey: ['findings', 'overview', 'expiring'],
  queryFn: async ({ signal }) => {
    const { data, next_cursor } = await assay.findings.list(expiringParameters(serverNow()), { signal });
    return { findings: data, more: next_cursor !== null };
  },
});

export const emptyQuery = queryOptions({
  queryKey: ['findings', 'overview', 'empty'],
  queryFn: isEmptyOrganization,
});
