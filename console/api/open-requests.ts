import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';

const maxCounted = 200;

/** The people behind the open requests for decisions: the navigation counts those of others. */
export const openRequestsQuery = queryOptions({
  queryKey: ['decisions', 'requests'],
  queryFn: async ({ signal }) => {
    const { data } = await assay.decisions.list({ status: ['requested'], limit: maxCounted }, { signal });
    return data.map(({ requested_by: by }) => by?.id ?? null);
  },
});
