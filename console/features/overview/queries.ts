import type { Finding, FindingGroupListParams, FindingListParams, FindingSummary } from '@assay/client';
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

export const maxWaiting = 5;

export type WaitingFindings = {
  findings: Pick<Finding, 'id' | 'title' | 'severity' | 'location' | 'data_source' | 'due_at'>[];
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
          fields: ['id', 'title', 'severity', 'location', 'data_source', 'due_at'],
          limit: maxWaiting,
        },
        { signal },
      );
      return { findings: data, total: next_cursor === null ? data.length : await countOf(filters, signal) };
    },
  });

/** The requests that others made, the oldest first, with their total number. */
export const requestsQuery = (me: string) =>
  queryOptions({
    queryKey: ['decisions', 'waiting', me],
    queryFn: async ({ signal }) => {
      const { data } = await assay.decisions.list({ status: ['requested'], limit: 200 }, { signal });
      const others = data.filter(({ requested_by: by }) => by?.id !== me).reverse();
      return { requests: others.slice(0, maxWaiting), total: others.length };
    },
  });

export type Remark = { finding: Pick<Finding, 'id' | 'title'>; name: string; text: string; at: string };

/** The last comments of others in the last week on open findings that are assigned to a person, the newest first. */
export const remarksQuery = (me: string) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'remarks', me],
    queryFn: async ({ signal }): Promise<Remark[]> => {
      const since = daysAgo(week);
      const { data } = await assay.findings.list(
        {
          ...(filtersAt({ ...openFindings, assignee: 'me' }, serverNow()) as FindingListParams),
          commented: true,
          updated_from: since,
          sort: '-updated_at',
          fields: ['id', 'title'],
          limit: maxWaiting,
        },
        { signal },
      );
      const last = await Promise.all(
        data.map(async (finding): Promise<Remark[]> => {
          const remarks: Remark[] = [];
          for await (const { comment } of assay.findings.timeline(finding.id, { limit: 200 }, { signal }))
            if (
              comment?.author &&
              comment.author.id !== me &&
              comment.deleted_at === null &&
              comment.created_at > since
            )
              remarks.push({ finding, name: comment.author.name, text: comment.comment, at: comment.created_at });
          return remarks.slice(-1);
        }),
      );
      return last.flat().toSorted((a, b) => b.at.localeCompare(a.at));
    },
  });

export type ToTriage = { total: number; urgent: number; oldest: string | null; first: string | null };

/** The findings to triage: their number, that of the critical and high ones, the oldest, and the most urgent. */
export const toTriageQuery = queryOptions({
  queryKey: ['findings', 'overview', 'to triage'],
  queryFn: async ({ signal }): Promise<ToTriage> => {
    const one = (sort: '-priority' | 'first_seen_at') =>
      assay.findings
        .list({ status: ['new'], sort, fields: ['id', 'first_seen_at'], limit: 1 }, { signal })
        .then(({ data }) => data[0]);
    const [{ total, facets }, first, oldest] = await Promise.all([
      assay.findings.facets({ status: ['new'], field: ['severity'] }, { signal }),
      one('-priority'),
      one('first_seen_at'),
    ]);
    const urgent = facets[0]!.values
      .filter(({ value }) => value === 'critical' || value === 'high')
      .reduce((sum, { count }) => sum + count, 0);
    return { total, urgent, first: first?.id ?? null, oldest: oldest?.first_seen_at ?? null };
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

/** The open findings of data sources or rules by id: facets would have the most frequent values only. */
export const openByQuery = (by: 'data_source' | 'rule', ids: string[]) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'open by', by, ids],
    queryFn: async ({ signal }) => {
      const filters = filtersAt(openFindings, serverNow()) as Partial<FindingGroupListParams>;
      const { data } = await assay.findings.groups({ ...filters, [by]: ids, by, limit: ids.length }, { signal });
      const counts = new Map(data.map(({ value, count }) => [value, count]));
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
