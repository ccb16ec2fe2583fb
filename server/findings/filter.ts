import type { Static, TSchema } from 'typebox';
import type { ApiError } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { ColumnDataSource } from './columns/row.ts';
import type { Flag, Term } from './columns/term.ts';
import type { FilteredFinding } from './filtered-finding.ts';
import type { Texts } from './texts.ts';

/** Collects the parameters of a statement while its text is built. `$1` is the organization. */
export class Parameters {
  readonly values: unknown[];

  constructor(orgId: string) {
    this.values = [orgId];
  }

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The parsed values of a filter: a finding must match any of `any`, and none of `none`. */
export type Chosen<Value> = { any?: Value | undefined; none?: Value | undefined };

/** The request that contains a filter. */
export type Reading = {
  orgId: string;
  /** The caller, for `me`; null if there is none. */
  userId: string | null;
  /** The time that relative times refer to. */
  now: Date;
  /** Creates the 400 error for an invalid value. */
  refuse: (message: string) => ApiError;
};

/** The kinds of things whose ids are filter values. */
export type IdKind = 'data_source' | 'detection_source' | 'person' | 'rule';

/**
 * The control that sets a filter in the console: a choice of values, a limit on a number, a limit on a time, or a text.
 * For a `choice`, `values` are the known values with their names; unless it is `closed`, others are allowed. `names` is
 * the kind of ids that the values are.
 */
export type Control =
  | {
      kind: 'choice';
      values?: readonly { value: string; label?: Texts }[];
      closed?: boolean;
      names?: IdKind;
    }
  | ({ kind: 'range' | 'time' } & Bound)
  | { kind: 'text' };

/**
 * The end of a range that a filter sets. In the console's filter box, `keys` precede `<` or `>`: `priority:>50`,
 * `due:<7d`, `age:>30d`. A duration counts `back` from now, so that `age:<7d` is the start of a range, or `ahead`.
 */
export type Bound = { keys: readonly string[]; end: 'from' | 'to'; direction?: 'back' | 'ahead' };

/**
 * The counts of a filter's values (`GET /findings/facets`): the column of the counted findings, and SQL of the values
 * if the column is not the value itself. A column with several values has each of them as `value` of `each`. With
 * `dataSource`, the values are SQL of the data source `d`, and `each` lists them.
 */
export type Facet = {
  column:
    | 'severity'
    | 'status'
    | 'source'
    | 'data_source_id'
    | 'rule_id'
    | 'assignee_id'
    | 'tags'
    | 'reported'
    | 'fact';
  value?: string;
  each?: string;
  dataSource?: true;
  /** SQL of the `fact` of a finding `f`. */
  fact?: string;
  /** The flags of values, for columns in memory; a finding has at most one of them. */
  flags?: Readonly<Record<string, Flag>>;
  /** The values of a data source, for columns in memory. */
  valuesOf?(source: ColumnDataSource): readonly string[];
};

/**
 * A filter of findings, with everything that lists, figures, exports, bulk updates, views, reports, the console and the
 * client libraries need to use it. `filters/table.ts` lists them all.
 */
export type Filter<Schema extends TSchema, Value> = {
  /** The query parameter, and the member of a `filter` object. */
  schema: Schema;
  label: Texts;
  control: Control;
  /** The names before `:` in the console's filter box; the console writes the first. */
  keys: readonly [string, ...string[]];
  /** Parses the values of a request. A filter without values selects all findings. */
  read(given: Static<Schema>, reading: Reading): Chosen<Value>;
  /** Whether its selection depends on the time of the request. */
  dependsOnNow?(given: Static<Schema>): boolean;
  /** Whether the value contains the time of the request, so that no two requests have the same value. */
  holdsNow?(value: Value): boolean;
  /** Replaces names with ids, if that needs the database. */
  resolve?(db: Db, chosen: Chosen<Value>, reading: Reading): Promise<Chosen<Value>>;
  /** SQL for the findings `f` that match the value. It is never null, so that its negation selects all others. */
  condition(value: Value, parameters: Parameters): string;
  /** The same condition on columns in memory; null for a filter or a value that needs the database. */
  column: ((value: Value) => Term | null) | null;
  /** A tsquery that matches the words of every matching finding; null if no finding can match. */
  words?(value: Value): string | null;
  /** The words of a search. They may also be in the texts that a finding shares with others. */
  search?(value: Value): string[];
  /** Whether its values are ids of data sources and it selects those. */
  selectsDataSources?: true;
  /** Whether the columns of the stored counts (`finding_counts`) are enough to check it. */
  isKept?: true;
  facet?: Facet;
  /** The column by which findings are grouped (`GET /findings/groups`), or SQL of a fact of a finding `f`. */
  grouping?: { column: 'rule_id' | 'data_source_id' } | { fact: string };
  /**
   * Values for the tests. Each selects some findings of `createFindingSet`, but not all. No range ends before it
   * starts.
   */
  samples: readonly [Static<Schema>, ...Static<Schema>[]];
  /** Whether a finding matches a value, in plain TypeScript. The tests compare the statements with it. */
  matches(finding: FilteredFinding, value: Value): boolean;
};

/** Returns the filter, with the types of its parts inferred from each other. */
export const defineFilter = <Schema extends TSchema, Value>(filter: Filter<Schema, Value>): Filter<Schema, Value> =>
  filter;

/** Returns the condition for a column that has any of the values. */
export function anyOf(column: string, values: readonly unknown[], type: string, parameters: Parameters): string {
  if (values.length === 1) return `${column} = ${parameters.add(values[0])}`;
  return `${column} = ANY(${parameters.add(values)}::${type}[])`;
}
