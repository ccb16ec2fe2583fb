import { serverNow } from '../../api/clock.ts';

const maxAgeMs = 30_000;
let arrivedAt: number | null = null;

/**
 * The moment of a list that is about to be shown: that at which its link got the pointer, so that the page shows what was then
 * read, unless that is long ago.
 */
export function arriveAt(): number {
  const now = serverNow();
  if (arrivedAt === null || Math.abs(now - arrivedAt) > maxAgeMs) arrivedAt = now;
  return arrivedAt;
}

/** The list is shown: the next one is of another moment. */
export function leaveArrival(): void {
  arrivedAt = null;
}
