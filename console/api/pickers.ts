import type { DataSource, Member } from '@assay/client';
import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';

/** The connected scanners. */
export const detectionSourcesQuery = queryOptions({
  queryKey: ['detection-sources'],
  queryFn: async ({ signal }) => (await assay.detectionSources.list({ limit: 200 }, { signal })).data,
});

/** More data sources than anyone would scroll through. */
export const maxChoices = 2_000;

/** Data sources to choose from: all, or the newest 2,000. */
export const dataSourceChoicesQuery = queryOptions({
  queryKey: ['data-sources', 'choices'],
  queryFn: async ({ signal }) => {
    const sources: DataSource[] = [];
    for await (const source of assay.dataSources.list({ limit: 200 }, { signal })) {
      sources.push(source);
      if (sources.length === maxChoices) break;
    }
    return sources;
  },
  staleTime: 30_000,
});

/** All members of the organization. */
export const memberChoicesQuery = queryOptions({
  queryKey: ['organization', 'members', 'all'],
  queryFn: async ({ signal }) => {
    const members: Member[] = [];
    for await (const member of assay.organization.members.list({ limit: 200 }, { signal })) members.push(member);
    return members;
  },
  staleTime: 60_000,
});
