import type { FindingSummary } from '@assay/client';
import { queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { isEmptyOrganization } from '../../api/emptiness.ts';
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

/** Accepted risks that are new again within a month. */
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
