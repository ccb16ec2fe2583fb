import type { JsonObject } from './json/json.ts';

/** Returns a non-empty string; undefined for other values. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Returns a finite number, also from a string, which many tools use. */
export function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** Returns a line or column: an integer of at least 1. */
export function position(value: unknown): number | null {
  const found = number(value);
  return found !== undefined && Number.isInteger(found) && found >= 1 && found < 2 ** 31 ? found : null;
}

export const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const objects = (value: unknown): JsonObject[] =>
  list(value).filter((item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item));

/** Returns the strings of a list, or a single string as a list. */
export const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => text(item) !== undefined);

/** Keeps only addresses that a browser may open: a file must not inject `javascript:` into the console. */
export const webAddress = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= 2_000 && /^https?:\/\/[^\s]+$/i.test(value) ? value : null;

/** Returns the first string. */
export function firstText(...values: unknown[]): string | undefined {
  for (const value of values) if (text(value) !== undefined) return value as string;
  return undefined;
}
