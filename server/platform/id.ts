import { fromString, fromUUID, typeidUnboxed } from 'typeid-js';

/** Prefixes of the API's ids: a TypeID is `prefix_` and 26 characters of base32 UUIDv7. */
export type IdPrefix =
  | 'fnd'
  | 'cmt'
  | 'ds'
  | 'scan'
  | 'sch'
  | 'rpt'
  | 'srp'
  | 'org'
  | 'usr'
  | 'inv'
  | 'tok'
  | 'ses'
  | 'psk'
  | 'whk'
  | 'his'
  | 'aud'
  | 'view'
  | 'bulk'
  | 'dec';

/** The part after the prefix and `_`: 128 bits in Crockford's base32, so the first character is at most 7. */
const suffix = '[0-7][0-9a-hjkmnp-tv-z]{25}';

/** Returns the JSON Schema pattern of ids with this prefix. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_${suffix}$`;

export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Returns the id for a UUID of the database. */
export const idOfUuid = (prefix: IdPrefix, uuid: string): string => fromUUID(uuid, prefix);

/** Returns the smallest id with this prefix for a time, in milliseconds since 1970, or later. */
export function earliestId(prefix: IdPrefix, ms: number): string {
  const time = Math.min(Math.max(0, ms), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return fromUUID(`${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`, prefix);
}

/**
 * Returns new ids with this prefix for a given time, in milliseconds since 1970. They ascend, since indexes insert
 * fastest at their end.
 */
export function newIdsAt(prefix: IdPrefix, ms: number, count: number): string[] {
  // The time is the first 48 bits.
  const random = `${prefix}_`.length + 10;
  const start = earliestId(prefix, ms).slice(0, random);
  return Array.from({ length: count }, () => start + newId(prefix).slice(random)).sort();
}

/**
 * Returns whether `text` has the form of an id with this prefix. Any other text is treated as an unknown id (404).
 */
export function isId(prefix: IdPrefix, text: string): boolean {
  if (!text.startsWith(`${prefix}_`)) return false;
  try {
    fromString(text, prefix);
    return true;
  } catch {
    return false;
  }
}
