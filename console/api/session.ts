import type { Profile } from '@assay/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { assay } from './client.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => assay.profile.get({ signal }),
  staleTime: 60_000,
});

/** The signed-in person. Only for pages behind the sign-in, which are loaded after the profile. */
export function useProfile(): Profile {
  const { data } = useQuery(profileQuery);
  if (!data) throw new Error('Sign in to see this page.');
  return data;
}

/** The person's permissions, such as `findings:write`. */
export const permissionsOf = (profile: Profile): readonly string[] => profile.permissions;

/** Returns whether this person has a permission: controls that would always fail are hidden. */
export function useMay(permission: string): boolean {
  return permissionsOf(useProfile()).includes(permission);
}
