import { serverNow } from '../../api/clock.ts';

const maxAgeMs = 30_000;
let arrivedAt: number | null = null;

/**
 * The time of a list that is about to be shown. It is the time at which the pointer reached its link, so that the page
 * shows the data that was prefetched then, unless that was long ago.
 */
export function arriveAt(): number {
  const now = serverNow();
  if (arrivedAt === null || Math.abs(now - arrivedAt) > maxAgeMs) arrivedAt = now;
  return arrivedAt;
}

/** The list is shown: the next list gets a new time. */
export function leaveArrival(): void {
  arrivedAt = null;
}
