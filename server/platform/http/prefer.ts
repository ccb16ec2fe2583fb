import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

const maxWaitMs = 60_000;
const pollMs = 200;

/**
 * Returns how long the caller prefers to wait (`Prefer: wait=SECONDS`, RFC 7240), in milliseconds; null without one.
 */
export function preferredWaitMs({ headers }: FastifyRequest): number | null {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?/i.exec(String(headers.prefer ?? ''))?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds) * 1000, maxWaitMs);
}

/**
 * For accepted work: returns its state at once or, when the caller prefers to wait, when the work is done or the time
 * is up. `read` is not called for callers that do not wait.
 */
export async function waitAsPreferred<State>(
  request: FastifyRequest,
  reply: FastifyReply,
  accepted: State,
  read: () => Promise<State>,
  isDone: (state: State) => boolean,
): Promise<State> {
  const waitMs = preferredWaitMs(request);
  if (!waitMs) return accepted;
  reply.header('preference-applied', 'wait');
  const end = performance.now() + waitMs;
  for (;;) {
    const state = await read();
    if (isDone(state) || performance.now() >= end) return state;
    await delay(pollMs);
  }
}

/**
 * Like `waitAsPreferred`, for work whose end is announced: `untilDone` resolves at the end or when the time is up,
 * and the state is read once.
 */
export async function waitForEndAsPreferred<State>(
  request: FastifyRequest,
  reply: FastifyReply,
  accepted: State,
  read: () => Promise<State>,
  untilDone: (withinMs: number) => Promise<void>,
): Promise<State> {
  const waitMs = preferredWaitMs(request);
  if (!waitMs) return accepted;
  reply.header('preference-applied', 'wait');
  await untilDone(waitMs);
  return read();
}
