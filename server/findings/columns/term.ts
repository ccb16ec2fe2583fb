import type { ColumnDataSource } from './row.ts';

export const textColumns = [
  'dataSourceId',
  'source',
  'status',
  'ruleId',
  'ruleName',
  'assigneeId',
  'packageName',
  'path',
] as const;
export type TextColumn = (typeof textColumns)[number];

export const listColumns = ['tags', 'identifiers', 'ruleTags', 'weaknesses'] as const;
export type ListColumn = (typeof listColumns)[number];

export const timeColumns = ['firstSeenAt', 'updatedAt', 'dueAt', 'acceptedUntil', 'lastSeenAt'] as const;
export type NumberColumn = (typeof timeColumns)[number] | 'severity' | 'priority' | 'number' | 'epss';

/** The boolean properties of a finding; the position of each is its bit. */
export const flags = [
  'inPackage',
  'inTests',
  'inExamples',
  'highConfidence',
  'mediumConfidence',
  'lowConfidence',
  'kev',
  'commented',
  'reopened',
  'closed',
  'seenLast',
] as const;
export type Flag = (typeof flags)[number];

/**
 * A condition on findings in columns. A number is at least `from` and less than `before`; times are microseconds.
 * Conditions with the same `name` give the same result for a text. `shown` matches the finding that represents its
 * problem.
 */
export type Term =
  | { text: TextColumn; in: readonly (string | null)[] }
  | { text: TextColumn; name: string; where(value: string | null): boolean }
  | { list: ListColumn; anyOf: readonly string[]; inAnyCase?: true }
  | { list: ListColumn; isEmpty: true }
  | { number: NumberColumn; from?: number; before?: number }
  | { number: 'severity' | 'number'; in: readonly number[] | Uint32Array }
  | { flag: Flag; is: boolean }
  | { dataSource(source: ColumnDataSource): boolean }
  | { shown: true }
  | { ids: readonly string[] }
  | { every: readonly Term[] }
  | { some: readonly Term[] }
  | { not: Term };
