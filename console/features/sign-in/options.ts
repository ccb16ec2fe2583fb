import { queryOptions } from '@tanstack/react-query';
import { callServer } from '../../api/call.ts';

/** What the operator has configured for signing in. */
export type SignInOptions = {
  /** Whether links for a new password are mailed. */
  password_reset: boolean;
  /** The name of the identity provider; null or missing without one. */
  single_sign_on?: { name: string } | null;
  passkeys?: boolean;
};

export const signInOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: () => callServer<SignInOptions>('GET', '/auth/options'),
  staleTime: Number.POSITIVE_INFINITY,
});
