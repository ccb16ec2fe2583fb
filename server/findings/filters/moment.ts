import { type FilterInput, filterEntries } from './table.ts';

/** Returns whether what the filters select depends on the time of the request. */
const dependOnNow = (input: FilterInput): boolean =>
  filterEntries.some(([name, { dependsOnNow }]) => input[name] !== undefined && dependsOnNow?.(input[name]));

/** The end of a page, and the moment of the first page after it where filters depend on that. */
type Position = readonly (string | number | boolean | null)[];

const mark = '@';

/**
 * Separates the moment of a list's first page, to which the filters of all its pages refer, from the position in a cursor. The first
 * page, and cursors of versions that kept no moment, refer to the current one.
 */
export function readMomentOf(cursor: Position | null): { now: Date; position: Position | null } {
  const last = cursor?.at(-1);
  if (!cursor || typeof last !== 'string' || !last.startsWith(mark)) return { now: new Date(), position: cursor };
  return { now: new Date(Number(last.slice(mark.length))), position: cursor.slice(0, -1) };
}

/** Adds the moment to a position, if the filters depend on it. */
export const withMoment = (position: Position, now: Date, input: FilterInput): Position =>
  dependOnNow(input) ? [...position, `${mark}${now.getTime()}`] : position;
