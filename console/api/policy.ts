import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';

/** Reads the organization's policy: days to fix and limits on accepted risks. */
export const policyQuery = queryOptions({
  queryKey: ['organization', 'policy'],
  queryFn: ({ signal }) => assay.organization.policy({ signal }),
  staleTime: 60_000,
});
