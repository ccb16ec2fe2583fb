import { createHash } from 'node:crypto';
import type { Statement } from '../platform/postgres/database.ts';
import type { Status } from './lifecycle.ts';
import { type Severity, severityRank } from './severity.ts';
import { wordQuery } from './words.ts';

/** The filters of a list of findings. A finding must match any value of each filter that is given. */
export type FindingFilters = {
  severity?: Severity[] | undefined;
  source?: string[] | undefined;
  status?: Status[] | undefined;
  dataSource?: string[] | undefined;
  tag?: string[] | undefined;
  rule?: string[] | undefined;
  /** Ids of members; `none` for findings without an assignee. */
  assignee?: string[] | undefined;
  /** Bounds of `first_seen_at`, both inclusive to the second. */
  from?: Date | undefined;
  to?: Date | undefined;
  updatedFrom?: Date | undefined;
  /** Words that must all occur. */
  q?: string | undefined;
};

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

/**
 * Returns a statement that is prepared under a name made from its text: each combination of filters is planned once per
 * connection.
 */
export const preparedByText = (text: string, values: unknown[]): Statement => ({
  name: `findings_${createHash('sha1').update(text).digest('base64url')}`,
  text,
  values,
});

const secondAfter = (time: Date) => new Date(time.getTime() + 1000);

export function anyOf(column: string, values: unknown[], type: string, parameters: Parameters): string {
  if (values.length === 1) return `${column} = ${parameters.add(values[0])}`;
  return `${column} = ANY(${parameters.add(values)}::${type}[])`;
}

function assigneeCondition(assignees: string[], parameters: Parameters): string {
  const ids = assignees.filter((assignee) => assignee !== 'none');
  const conditions = [];
  if (ids.length > 0) conditions.push(anyOf('f.assignee_id', ids, 'text', parameters));
  if (ids.length < assignees.length) conditions.push('f.assignee_id IS NULL');
  return `(${conditions.join(' OR ')})`;
}

/** Returns the conditions of the time filters. */
export function rangeConditions(
  { from, to, updatedFrom }: Pick<FindingFilters, 'from' | 'to' | 'updatedFrom'>,
  parameters: Parameters,
): string[] {
  const conditions: string[] = [];
  if (from) conditions.push(`f.first_seen_at >= ${parameters.add(from)}::timestamptz`);
  if (to) conditions.push(`f.first_seen_at < ${parameters.add(secondAfter(to))}::timestamptz`);
  if (updatedFrom) conditions.push(`f.updated_at >= ${parameters.add(updatedFrom)}::timestamptz`);
  return conditions;
}

/**
 * Returns the conditions of all filters but `q` on findings `f` as SQL, to be joined with AND. The first is the
 * organization.
 */
export function conditionsOf(filters: FindingFilters, parameters: Parameters): string[] {
  const conditions = ['f.org_id = $1'];
  const add = (column: string, values: unknown[] | undefined, type: string) => {
    if (values) conditions.push(anyOf(column, values, type, parameters));
  };
  add('f.status', filters.status, 'text');
  add(
    'f.severity',
    filters.severity?.map((severity) => severityRank[severity]),
    'smallint',
  );
  add('f.source', filters.source, 'text');
  add('f.data_source_id', filters.dataSource, 'text');
  add('f.rule_id', filters.rule, 'text');
  if (filters.assignee) conditions.push(assigneeCondition(filters.assignee, parameters));
  conditions.push(...rangeConditions(filters, parameters));
  if (filters.tag) {
    const tag = anyOf('t.tag', filters.tag, 'text', parameters);
    conditions.push(`EXISTS (SELECT 1 FROM finding_tags t WHERE t.org_id = $1 AND t.finding_id = f.id AND ${tag})`);
  }
  return conditions;
}

/** Returns all filters, `q` included, as one condition on findings `f`: for counting and collecting, not for paging. */
export function selectionOf(filters: FindingFilters, parameters: Parameters): string {
  const conditions = conditionsOf(filters, parameters);
  const query = filters.q === undefined ? undefined : wordQuery(filters.q);
  if (query === null) conditions.push('false');
  else if (query !== undefined) conditions.push(`f.words @@ ${parameters.add(query)}::tsquery`);
  return conditions.join(' AND ');
}

/** Returns whether the kept figures (`finding_counts`) know all the filters: their columns are those of findings. */
export const isKept = ({ severity, status, source, dataSource, ...others }: FindingFilters): boolean =>
  Object.values(others).every((value) => value === undefined);
