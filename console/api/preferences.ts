import { queryOptions, useQuery } from '@tanstack/react-query';
import { callProfile } from './call.ts';
import { queryClient } from './query-client.ts';

/** A person's preferences, on every device. */
export type Preferences = {
  theme: 'system' | 'light' | 'dark';
  density: 'comfortable' | 'compact';
  /** The columns of the list of findings; null for the default ones. */
  columns: string[] | null;
  single_keys: boolean;
  custom: Record<string, unknown>;
};

const defaults: Preferences = {
  theme: 'system',
  density: 'comfortable',
  columns: null,
  single_keys: true,
  custom: {},
};

export const preferencesQuery = queryOptions({
  queryKey: ['profile', 'preferences'],
  queryFn: () => callProfile<Preferences>('GET', '/preferences'),
  staleTime: Number.POSITIVE_INFINITY,
});

export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? defaults;
}

/** Changes preferences: at once on the page, then on the server. */
export async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const old = queryClient.getQueryData<Preferences>(preferencesQuery.queryKey) ?? defaults;
  const next = { ...old, ...change };
  queryClient.setQueryData(preferencesQuery.queryKey, next);
  try {
    await callProfile('PUT', '/preferences', next);
  } catch (error) {
    queryClient.setQueryData(preferencesQuery.queryKey, old);
    throw error;
  }
}
