import { useSyncExternalStore } from 'react';
import { retryAfterOf } from './errors.ts';

const usualReason = 'The server is too busy to respond.';
/** The time that the next attempt may take, after which a reason is forgotten. */
const attemptMs = 35_000;

/** By address, the reason why the server could not answer yet and the timer that forgets it. */
const reasons = new Map<string, { message: string; timer: ReturnType<typeof setTimeout> }>();
const listeners = new Set<() => void>();
let shown: string | null = null;

function update(): void {
  const [reason] = reasons.values();
  shown = reason?.message ?? null;
  for (const listener of listeners) listener();
}

function forget(address: string): void {
  const reason = reasons.get(address);
  if (!reason) return;
  clearTimeout(reason.timer);
  reasons.delete(address);
  update();
}

/** Records whether the server asks to send this request again later, as it does while it loads findings into memory. */
export function noteResponse(address: string, response: Response): void {
  const retryAfterMs = response.status === 503 ? retryAfterOf(response) : null;
  if (retryAfterMs === null) {
    forget(address);
    return;
  }
  const message = reasons.get(address)?.message ?? usualReason;
  forget(address);
  const reason = { message, timer: setTimeout(() => forget(address), retryAfterMs + attemptMs) };
  reasons.set(address, reason);
  update();
  const read = async () => {
    const body = (await response.clone().json()) as { error?: { message?: string } };
    reason.message = body.error?.message ?? message;
    update();
  };
  // A proxy's page has no reason.
  read().catch(() => {});
}

function onReasons(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The reason why a request waits for the server; null while none does. */
export const useWaitingReason = (): string | null => useSyncExternalStore(onReasons, () => shown);
