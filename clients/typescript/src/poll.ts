import { APITimeoutError } from './errors.ts';
import type { WaitOptions } from './options.ts';
import type { Transport } from './transport.ts';

const firstWaitMs = 500;
const maxWaitMs = 5_000;

/** Polls until the result is final: first after half a second, then after growing waits of at most five seconds. */
export async function pollUntil<T>(
  transport: Transport,
  look: () => Promise<T>,
  isDone: (value: T) => boolean,
  options: WaitOptions = {},
): Promise<T> {
  let waitedMs = 0;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, maxWaitMs)) {
    const value = await look();
    if (isDone(value)) return value;
    if (waitedMs + waitMs > (options.maxWaitMs ?? Number.POSITIVE_INFINITY)) {
      throw new APITimeoutError(
        `It was not done within ${options.maxWaitMs} ms. The work continues: wait for it again.`,
        {
          code: 'timeout',
        },
      );
    }
    await transport.sleep(Math.round(waitMs), options.signal);
    waitedMs += waitMs;
  }
}
