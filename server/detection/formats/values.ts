import type { JsonObject } from './json/json.ts';

/** A text that is not empty, else undefined. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A finite number, also one that is written as text (many tools do). */
export function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** A line or column: a whole number from 1. */
export function position(value: unknown): number | null {
  const found = number(value);
  return found !== undefined && Number.isInteger(found) && found >= 1 && found < 2 ** 31 ? found : null;
}

export const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const objects = (value: unknown): JsonObject[] =>
  list(value).filter((item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item));

/** The texts of a list, or the one that stands where a list may. */
export const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => text(item) !== undefined);

/** The first that is a text. */
export function firstText(...values: unknown[]): string | undefined {
  for (const value of values) if (text(value) !== undefined) return value as string;
  return undefined;
}
