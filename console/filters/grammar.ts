import { fold, nearest } from './nearest.ts';
import type { RangeField } from './ranges.ts';

/** A value with its name. */
export type Value = { value: string; label: string };

/**
 * The known values of a field. If the list is complete, other values are refused. If it has the values of all findings,
 * others select nothing. If it is partial or still loading, nothing is known about other values.
 */
export type Vocabulary = { values: readonly Value[]; known: 'all' | 'of_findings' | 'some' | 'loading' };

type Named = { name: string; label: string; aliases?: readonly string[] };

/** A filter in its typed form: by its name or a shorter one. `filter` is its name in the API. */
export type Field =
  /** Several values; a leading "-" excludes a value. With `ids`, values are written as their names. */
  (Named & { kind: 'list'; filter: string; ids: boolean }) | (Named & { kind: 'flag'; filter: string }) | RangeField;

/** The fields with their known values; null for fields with arbitrary values. */
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

/** Every word that is valid before a colon, the suggested ones first. */
export const keysOf = (fields: readonly Field[]): string[] => [
  ...fields.map(({ name }) => name),
  ...fields.flatMap(({ aliases = [] }) => aliases),
];

/** Finds the typed value, by the value itself or its name. */
export function findValue(typed: string, vocabulary: Vocabulary | null): string | null {
  if (!vocabulary || vocabulary.values.some(({ value }) => value === typed)) return typed;
  const folded = fold(typed);
  const found = vocabulary.values.find(({ value, label }) => fold(label) === folded || fold(value) === folded);
  return found?.value ?? null;
}

/** Returns the nearest known value, by the value itself or its name. */
export function nearestValue(typed: string, { values }: Vocabulary): string | null {
  const near = nearest(typed, [...values.map(({ label }) => label), ...values.map(({ value }) => value)]);
  return values.find(({ value, label }) => label === near || value === near)?.value ?? null;
}

/** Formats a value for people. */
export function writeValue(field: Field, value: string, vocabulary: Vocabulary | null): string {
  if (field.kind !== 'list' || !field.ids) return value;
  const label = vocabulary?.values.find((known) => known.value === value)?.label ?? value;
  // Two values may have the same name, and a name may equal another value.
  return findValue(label, vocabulary) === value ? label : value;
}
