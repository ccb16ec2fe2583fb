import type { Preferences } from '@assay/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { assay } from './client.ts';
import { queryClient } from './query-client.ts';

const defaults: Preferences = {
  theme: 'system',
  density: 'comfortable',
  columns: null,
  single_keys: true,
  custom: {},
};

export const preferencesQuery = queryOptions({
  queryKey: ['profile', 'preferences'],
  queryFn: () => assay.profile.preferences.get(),
  staleTime: Number.POSITIVE_INFINITY,
});

export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? defaults;
}

/** The last save. Each save waits for the one before, so that the newest state wins. */
let saving: Promise<unknown> = Promise.resolve();

/** Changes preferences on the page at once, then on the server. */
export async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const old = queryClient.getQueryData<Preferences>(preferencesQuery.queryKey) ?? defaults;
  const next = { ...old, ...change };
  queryClient.setQueryData(preferencesQuery.queryKey, next);
  try {
    const save = saving.then(() => assay.profile.preferences.replace(next));
    saving = save.catch(() => {});
    await save;
  } catch (error) {
    queryClient.setQueryData(preferencesQuery.queryKey, old);
    throw error;
  }
}
