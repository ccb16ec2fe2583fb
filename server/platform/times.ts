const shape = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/;

export const timeFormat = 'YYYY-MM-DDThh:mm:ssZ';

/** The time as the API writes it: UTC, to the second, rounded down. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** `formatTime`, with null for null. */
export function formatTimeOrNull(time: Date | null): string | null {
  return time === null ? null : formatTime(time);
}

/** The time that `text` names, or null unless it is exactly `YYYY-MM-DDThh:mm:ssZ` and exists in the calendar. */
export function readTime(text: string): Date | null {
  if (!shape.test(text)) return null;
  const time = new Date(text);
  // Date rolls 30 February over into March: what does not come out as it went in was no real time.
  return Number.isNaN(time.getTime()) || formatTime(time) !== text ? null : time;
}
