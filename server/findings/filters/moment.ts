import { type FilterInput, filterEntries } from './table.ts';

/** Returns whether the selection depends on the time of the request. */
const dependOnNow = (input: FilterInput): boolean =>
  filterEntries.some(([name, { dependsOnNow }]) => input[name] !== undefined && dependsOnNow?.(input[name]));

/** The end of a page. If filters depend on the time, the time of the first page follows. */
type Position = readonly (string | number | boolean | null)[];

/** No value in PostgreSQL contains this character, while names of packages may begin with any other. */
const mark = '\u0000';

/**
 * Separates a cursor into the position and the time of the list's first page, which the filters of all its pages refer
 * to. The first page, and cursors from versions that stored no time, use the current time.
 */
export function readMomentOf(cursor: Position | null): { now: Date; position: Position | null } {
  const last = cursor?.at(-1);
  if (!cursor || typeof last !== 'string' || !last.startsWith(mark)) return { now: new Date(), position: cursor };
  return { now: new Date(Number(last.slice(mark.length))), position: cursor.slice(0, -1) };
}

/** Adds the time to a position, if the filters depend on it. */
export const withMoment = (position: Position, now: Date, input: FilterInput): Position =>
  dependOnNow(input) ? [...position, `${mark}${now.getTime()}`] : position;
