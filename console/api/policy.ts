import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';

/** What the organization has decided about days to fix and accepted risks. */
export const policyQuery = queryOptions({
  queryKey: ['organization', 'policy'],
  queryFn: ({ signal }) => assay.organization.policy({ signal }),
  staleTime: 60_000,
});
