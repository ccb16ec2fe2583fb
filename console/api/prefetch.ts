import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { permissionsOf, profileQuery } from './session.ts';

type Query = { queryKey: QueryKey; initialPageParam?: unknown };

/** Loads data that is neither cached nor being loaded. Errors are left to the page. */
export function prefetch(...queries: Query[]): void {
  for (const query of queries)
    void ('initialPageParam' in query
      ? queryClient.prefetchInfiniteQuery(query as never)
      : queryClient.prefetchQuery(query as never));
}

/** Returns whether the signed-in person has a permission; false before the profile is loaded. */
export function may(permission: string): boolean {
  const profile = queryClient.getQueryData(profileQuery.queryKey);
  return profile !== undefined && permissionsOf(profile).includes(permission);
}
