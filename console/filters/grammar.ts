import { fold, nearest } from './nearest.ts';
import type { RangeField } from './ranges.ts';

/** A value with its name. */
export type Value = { value: string; label: string };

/**
 * The values that a field is known to have. Other values are refused if these are all that there are; if they are those that the
 * findings have, others select nothing; and nothing is known of others if these are only some, or while the rest is being read.
 */
export type Vocabulary = { values: readonly Value[]; known: 'all' | 'of_findings' | 'some' | 'loading' };

type Named = { name: string; label: string; aliases?: readonly string[] };

/** A filter as people type it: by its name, or by a shorter one. `filter` is its name in the API. */
export type Field =
  /** Several values, each of which a leading "-" excludes. With `ids` they are written by their names. */
  (Named & { kind: 'list'; filter: string; ids: boolean }) | (Named & { kind: 'flag'; filter: string }) | RangeField;

/** The fields, and what is known of their values; null for those of any kind. */
export type Grammar = { fields: readonly Field[]; vocabularyOf: (field: Field) => Vocabulary | null };

/** Finds the field that a key names. A filter may also be named as in the API: `due_to`. */
export function findField(fields: readonly Field[], key: string): { field: Field; bound: 'from' | 'to' | null } | null {
  for (const field of fields) {
    if (field.name === key || field.aliases?.includes(key)) return { field, bound: null };
  }
  for (const field of fields) {
    if (field.kind === 'list' || field.kind === 'flag') {
      if (field.filter === key) return { field, bound: null };
    } else if (field.from === key) return { field, bound: 'from' };
    else if (field.to === key) return { field, bound: 'to' };
  }
  return null;
}

/** Every word that can stand before a colon, those that are suggested first. */
export const keysOf = (fields: readonly Field[]): string[] => [
  ...fields.map(({ name }) => name),
  ...fields.flatMap(({ aliases = [] }) => aliases),
];

/** Finds the value that was typed, by itself or by its name. */
export function findValue(typed: string, vocabulary: Vocabulary | null): string | null {
  if (!vocabulary || vocabulary.values.some(({ value }) => value === typed)) return typed;
  const folded = fold(typed);
  const found = vocabulary.values.find(({ value, label }) => fold(label) === folded || fold(value) === folded);
  return found?.value ?? null;
}

/** Returns the nearest known value, found by itself or by its name. */
export function nearestValue(typed: string, { values }: Vocabulary): string | null {
  const near = nearest(typed, [...values.map(({ label }) => label), ...values.map(({ value }) => value)]);
  return values.find(({ value, label }) => label === near || value === near)?.value ?? null;
}

/** Writes a value as people read it. */
export function writeValue(field: Field, value: string, vocabulary: Vocabulary | null): string {
  if (field.kind !== 'list' || !field.ids) return value;
  const label = vocabulary?.values.find((known) => known.value === value)?.label ?? value;
  // Two may have the same name, and a name may be what another value is.
  return findValue(label, vocabulary) === value ? label : value;
}
