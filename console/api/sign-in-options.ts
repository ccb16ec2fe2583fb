import { queryOptions } from '@tanstack/react-query';
import { callServer } from './call.ts';

/** The operator's settings for signing in. */
export type SignInOptions = {
  /** Whether password reset links can be mailed. */
  password_reset: boolean;
  /** The label of the identity provider's button; null if none is configured. */
  single_sign_on: { name: string } | null;
  /** Whether passkeys work at this address. They don't at an IP address. */
  passkeys: boolean;
};

export const signInOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: () => callServer<SignInOptions>('GET', '/auth/options'),
  staleTime: Number.POSITIVE_INFINITY,
});
