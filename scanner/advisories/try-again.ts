import { setTimeout as pause } from 'node:timers/promises';
import { isTransientFailure, isTransientStatus } from '../platform/egress/transient-failure.ts';

/** A feed's server responded with an error status. */
export class FeedStatusError extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} returned ${status}.`);
    this.name = 'FeedStatusError';
    this.status = status;
  }
}

/** An outage of more than half a minute is left to the next load, an hour later. */
const defaultPausesMs: readonly number[] = [1_000, 5_000, 30_000];

const mayPass = (error: unknown) =>
  error instanceof FeedStatusError ? isTransientStatus(error.status) : isTransientFailure(error);

/** Runs `load` again after each pause if it fails for a temporary reason. */
export async function tryAgain<T>(
  load: () => Promise<T>,
  signal: AbortSignal,
  { pausesMs = defaultPausesMs, onPause }: { pausesMs?: readonly number[]; onPause(pauseMs: number): void },
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await load();
    } catch (error) {
      const pauseMs = pausesMs[failures];
      if (pauseMs === undefined || signal.aborted || !mayPass(error)) throw error;
      onPause(pauseMs);
      await pause(pauseMs, undefined, { signal });
    }
  }
}
