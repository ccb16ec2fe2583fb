import { APIConnectionError, APIStatusError } from '@assay/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './errors.ts';
import { setOnline } from './online.ts';

/** Called when the server no longer knows the session. */
let onSignedOut = () => {};

export function handleSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

const check = (error: unknown) => {
  if (isSignedOut(error)) onSignedOut();
  if (error instanceof APIConnectionError) setOnline(false);
};

/** Retries requests that may succeed the next time; the client library has already tried twice. */
const retry = (failures: number, error: unknown) =>
  failures < 1 && !(error instanceof APIStatusError && error.status < 500 && error.status !== 408);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: check, onSuccess: () => setOnline(true) }),
  mutationCache: new MutationCache({ onError: check }),
  defaultOptions: {
    queries: { retry, staleTime: 10_000, gcTime: 300_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});
