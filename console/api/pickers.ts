import type { Member } from '@assay/client';
import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';

/** The connected scanners. */
export const detectionSourcesQuery = queryOptions({
  queryKey: ['detection-sources'],
  queryFn: async ({ signal }) => (await assay.detectionSources.list({ limit: 200 }, { signal })).data,
});

/** Data sources to choose from: the newest 200. */
export const dataSourceChoicesQuery = queryOptions({
  queryKey: ['data-sources', 'choices'],
  queryFn: async ({ signal }) => (await assay.dataSources.list({ limit: 200 }, { signal })).data,
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
