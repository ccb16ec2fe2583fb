import { queryOptions } from '@tanstack/react-query';
import { callServer } from './call.ts';

/** The operator's settings for signing in. */
export type SignInOptions = {
  /** Whether links for a new password are mailed. */
  password_reset: boolean;
  /** The text of its button; null where no identity provider is configured. */
  single_sign_on: { name: string } | null;
  /** Whether passkeys work at this address: not at an IP address. */
  passkeys: boolean;
};

export const signInOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: () => callServer<SignInOptions>('GET', '/auth/options'),
  staleTime: Number.POSITIVE_INFINITY,
});
