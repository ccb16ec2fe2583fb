import { APIConnectionError, APIStatusError } from '@assay/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { assay } from './client.ts';
import { isSignedOut } from './errors.ts';
import { setOnline } from './online.ts';

/** Called when the server no longer accepts the session. */
let onSignedOut = () => {};

export function handleSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

let isVerifying = false;

/**
 * Checks whether the session has really ended. A concurrent change, such as turning on the second factor, may replace
 * the browser's session: a request with the old session is then refused, and the next one is not.
 */
async function verifySession(): Promise<void> {
  if (isVerifying) return;
  isVerifying = true;
  try {
    while (queryClient.isMutating() > 0) {
      await new Promise<void>((resolve) => {
        const stop = queryClient.getMutationCache().subscribe(() => {
          stop();
          resolve();
        });
      });
    }
    await assay.profile.get();
    void queryClient.invalidateQueries({ predicate: ({ state }) => isSignedOut(state.error) });
  } catch (error) {
    if (isSignedOut(error)) onSignedOut();
  } finally {
    isVerifying = false;
  }
}

const check = (error: unknown) => {
  if (isSignedOut(error)) void verifySession();
  // The role may have changed: remove controls that it no longer allows.
  if (error instanceof APIStatusError && error.code === 'forbidden')
    void queryClient.invalidateQueries({ queryKey: ['profile'] });
  if (error instanceof APIConnectionError) setOnline(false);
};

/** The number of times that a page repeats a request that the server asks to repeat, which takes ten minutes or more. */
const maxWaits = 60;
const maxPauseMs = 60_000;

/** Returns the pause that the server asks for before the request is repeated; null if it does not ask. */
const pauseOf = (error: unknown): number | null =>
  error instanceof APIStatusError && error.status === 503 && error.retryAfterMs !== null
    ? Math.min(Math.max(error.retryAfterMs, 1_000), maxPauseMs)
    : null;

/** Retries requests that may succeed later; the client library has already tried twice. */
const retry = (failures: number, error: unknown) =>
  failures < (pauseOf(error) === null ? 1 : maxWaits) &&
  !(error instanceof APIStatusError && error.status < 500 && error.status !== 408);

const retryDelay = (_failures: number, error: unknown) => pauseOf(error) ?? 1_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: check, onSuccess: () => setOnline(true) }),
  mutationCache: new MutationCache({ onError: check }),
  defaultOptions: {
    queries: {
      retry,
      retryDelay,
      staleTime: 10_000,
      gcTime: 300_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
