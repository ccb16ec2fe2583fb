import type { FindingListParams, FindingStatus, Severity } from '@assay/client';
import { queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';

export const openStatuses: FindingStatus[] = ['new', 'triaged', 'in_progress'];

const dayMs = 86_400_000;

/** Open findings by severity and data source. */
export const openQuery = queryOptions({
  queryKey: ['findings', 'overview', 'open'],
  queryFn: ({ signal }) => assay.findings.summary({ status: openStatuses, days: 1 }, { signal }),
});

/** What opened and closed on each of the last days. */
export const flowQuery = (days: number) =>
  queryOptions({
    queryKey: ['findings', 'overview', 'flow', days],
    queryFn: ({ signal }) => assay.findings.summary({ days }, { signal }),
    placeholderData: (previous) => previous,
  });

/** How long open findings have been known, in days. */
export const ageBands = [
  { key: '0', name: 'Up to 7 days', from: 7, to: 0, search: { age: '7d' } },
  { key: '7', name: '8 to 30 days', from: 30, to: 7, search: null },
  { key: '30', name: '31 to 90 days', from: 90, to: 30, search: null },
  { key: '90', name: 'Over 90 days', from: null, to: 90, search: { age: '90d+' } },
] as const;

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');

export type AgeBand = { key: string; name: string; search: Record<string, string>; counts: Record<Severity, number> };

/** Open findings by age and severity; above some ten thousand, estimates. */
export const agesQuery = queryOptions({
  queryKey: ['findings', 'overview', 'ages'],
  queryFn: async ({ signal }): Promise<{ approximate: boolean; bands: AgeBand[] }> => {
    const results = await Promise.all(
      ageBands.map(async ({ key, name, from, to, search }) => {
        const bounds = {
          ...(from !== null && { from: daysAgo(from) }),
          ...(to > 0 && { to: daysAgo(to) }),
        };
        const { facets, approximate } = await assay.findings.facets(
          { field: ['severity'], status: openStatuses, ...bounds },
          { signal },
        );
        const counts = Object.fromEntries(
          (facets[0]?.values ?? []).map(({ value, count }) => [value, count]),
        ) as Record<Severity, number>;
        return { key, name, approximate, search: { ...(search ?? bounds) } as Record<string, string>, counts };
      }),
    );
    return { approximate: results.some(({ approximate }) => approximate), bands: results };
  },
});

/** The rules with most open findings. */
export const rulesQuery = queryOptions({
  queryKey: ['findings', 'overview', 'rules'],
  queryFn: ({ signal }) => assay.findings.facets({ field: ['rule'], status: openStatuses }, { signal }),
});

/** Accepted risks that are new again within a month. */
export const expiringQuery = queryOptions({
  queryKey: ['findings', 'overview', 'expiring'],
  queryFn: async ({ signal }) => {
    const params = { status: ['accepted_risk'], accepted_until_to: daysAgo(-30), limit: 10 } as FindingListParams;
    const { data, next_cursor } = await assay.findings.list(params, { signal });
    return { findings: data, more: next_cursor !== null };
  },
});
