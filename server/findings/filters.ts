import { createHash } from 'node:crypto';
import type { Statement } from '../platform/postgres/database.ts';
import { isShownForProblem } from './finding-sql.ts';
import type { Status } from './lifecycle.ts';
import { pathExpression, pathWords } from './path-pattern.ts';
import { type Severity, severityRank } from './severity.ts';
import { type Search, searchCondition } from './shared-texts.ts';
import { type ContextChoice, contextCondition } from './test-path.ts';
import { wordQuery, wordsOf } from './words.ts';

/**
 * The filters of a list of findings. A finding must match any value of each filter that is given, and none of those in
 * `excluded`.
 */
export type FindingFilters = {
  severity?: Severity[] | undefined;
  source?: string[] | undefined;
  status?: Status[] | undefined;
  dataSource?: string[] | undefined;
  /** The data sources that the filter of this name selects; any of each. */
  dataSourceTag?: string[] | undefined;
  owner?: string[] | undefined;
  criticality?: string[] | undefined;
  tag?: string[] | undefined;
  rule?: string[] | undefined;
  /** Tags that scanners give their rules; their case does not matter. */
  ruleTag?: string[] | undefined;
  /** Ids of members; `none` for findings without an assignee. */
  assignee?: string[] | undefined;
  /** CWE-…, CVE-…, GHSA-…; their case does not matter. */
  identifier?: string[] | undefined;
  /** Beginnings or patterns of paths: see path-pattern.ts. */
  path?: string[] | undefined;
  /** Names of packages. */
  package?: string[] | undefined;
  excluded?: Partial<Record<ExcludableFilter, string[]>> | undefined;
  /** Whether it came back after it was resolved. */
  reopened?: boolean | undefined;
  /** The acceptance of its risk ends at or before this time, to the second. */
  acceptedUntilTo?: Date | undefined;
  /** Whether its due date has passed at this time. */
  overdue?: { is: boolean; at: Date } | undefined;
  /** Due at or before this time, to the second. */
  dueTo?: Date | undefined;
  priorityMin?: number | undefined;
  /** Whether exploits of one of its CVEs are known. */
  kev?: boolean | undefined;
  epssMin?: number | undefined;
  context?: ContextChoice[] | undefined;
  /** Only one of the findings of several sources about one problem. */
  unique?: boolean | undefined;
  /** Bounds of `first_seen_at`, both inclusive to the second. */
  from?: Date | undefined;
  to?: Date | undefined;
  updatedFrom?: Date | undefined;
  updatedTo?: Date | undefined;
  /** Words that must all occur. */
  q?: string | undefined;
};

/** The filters on the data source of a finding, which hold the ids of the data sources that they select. */
export const dataSourceFilters = ['dataSourceTag', 'owner', 'criticality'] as const;
export type DataSourceFilter = (typeof dataSourceFilters)[number];

/** The filters whose values can be excluded; of severities and statuses, the others are chosen instead. */
export const excludableFilters = [
  'source',
  'dataSource',
  'tag',
  'rule',
  'ruleTag',
  'assignee',
  'identifier',
  'path',
  'package',
] as const;
export type ExcludableFilter = (typeof excludableFilters)[number];

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

/** Returns the conditions of the time filters. */
export function rangeConditions(
  { from, to, updatedFrom, updatedTo }: Pick<FindingFilters, 'from' | 'to' | 'updatedFrom' | 'updatedTo'>,
  parameters: Parameters,
): string[] {
  const conditions: string[] = [];
  if (from) conditions.push(`f.first_seen_at >= ${parameters.add(from)}::timestamptz`);
  if (to) conditions.push(`f.first_seen_at < ${parameters.add(secondAfter(to))}::timestamptz`);
  if (updatedFrom) conditions.push(`f.updated_at >= ${parameters.add(updatedFrom)}::timestamptz`);
  if (updatedTo) conditions.push(`f.updated_at < ${parameters.add(secondAfter(updatedTo))}::timestamptz`);
  return conditions;
}

export const acceptanceCondition = (to: Date, parameters: Parameters): string =>
  `f.accepted_until < ${parameters.add(secondAfter(to))}::timestamptz`;

export const dueCondition = (to: Date, parameters: Parameters): string =>
  `f.due_at < ${parameters.add(secondAfter(to))}::timestamptz`;
export const overdueCondition = ({ is, at }: { is: boolean; at: Date }, parameters: Parameters): string =>
  `f.due_at ${is ? '<' : '>='} ${parameters.add(at)}::timestamptz`;

export const priorityCondition = (min: number, parameters: Parameters): string =>
  `f.priority >= ${parameters.add(min)}::smallint`;

export const epssCondition = (min: number, parameters: Parameters): string => `f.epss >= ${parameters.add(min)}::real`;

const textColumns = { source: 'f.source', dataSource: 'f.data_source_id', rule: 'f.rule_id' } as const;

/** Returns the condition for a JSON list of texts that contains any of the values, in any case. */
function listCondition(list: string, values: string[], parameters: Parameters): string {
  const given = parameters.add(values.map((value) => value.toLowerCase()));
  return `EXISTS (SELECT FROM json_array_elements_text(${list}) AS item WHERE lower(item) = ANY(${given}::text[]))`;
}

/** Returns the condition for findings that match any of the values. It is never null. */
function valueCondition(filter: ExcludableFilter, values: string[], parameters: Parameters): string {
  switch (filter) {
    case 'assignee': {
      const ids = values.filter((assignee) => assignee !== 'none');
      const conditions = [];
      if (ids.length > 0)
        conditions.push(`f.assignee_id IS NOT NULL AND ${anyOf('f.assignee_id', ids, 'text', parameters)}`);
      if (ids.length < values.length) conditions.push('f.assignee_id IS NULL');
      return `(${conditions.join(' OR ')})`;
    }
    case 'tag':
      // The finding's own column: a join with finding_tags reads all of a tag for each finding, if it was planned while few had one.
      return `f.tags && ${parameters.add(values)}::text[]`;
    case 'identifier':
      return listCondition("f.facts->'identifiers'", values, parameters);
    case 'ruleTag':
      // Findings that an earlier version stored have no list.
      return listCondition("COALESCE(f.facts #> '{rule,tags}', '[]')", values, parameters);
    case 'path':
      return `COALESCE(f.facts #>> '{location,path}' ~ ANY(${parameters.add(values.map(pathExpression))}::text[]), false)`;
    case 'package':
      return `COALESCE(f.facts #>> '{location,package,name}' = ANY(${parameters.add(values)}::text[]), false)`;
    default:
      return anyOf(textColumns[filter], values, 'text', parameters);
  }
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
  for (const filter of dataSourceFilters) add('f.data_source_id', filters[filter], 'text');
  for (const filter of excludableFilters) {
    const [values, excluded] = [filters[filter], filters.excluded?.[filter]];
    if (values) conditions.push(valueCondition(filter, values, parameters));
    if (excluded) conditions.push(`NOT ${valueCondition(filter, excluded, parameters)}`);
  }
  conditions.push(...rangeConditions(filters, parameters));
  if (filters.reopened !== undefined) conditions.push(`f.reopened_count ${filters.reopened ? '>' : '='} 0`);
  if (filters.acceptedUntilTo) conditions.push(acceptanceCondition(filters.acceptedUntilTo, parameters));
  if (filters.dueTo) conditions.push(dueCondition(filters.dueTo, parameters));
  if (filters.overdue) conditions.push(overdueCondition(filters.overdue, parameters));
  if (filters.priorityMin !== undefined) conditions.push(priorityCondition(filters.priorityMin, parameters));
  if (filters.kev !== undefined) conditions.push(`f.kev IS ${filters.kev ? 'NOT ' : ''}NULL`);
  const context = filters.context && contextCondition(filters.context);
  if (context) conditions.push(context);
  if (filters.unique) conditions.push(isShownForProblem);
  if (filters.epssMin !== undefined) conditions.push(epssCondition(filters.epssMin, parameters));
  return conditions;
}

const anyWords = (queries: Array<string | null>) => {
  const known = queries.filter((query) => query !== null);
  return known.length === 0 ? null : `(${known.join(' | ')})`;
};

/**
 * Returns the words that all findings of the filters have: those of `q`, paths, identifiers and rules' tags. Undefined when the
 * filters name no words, null when no finding can have them.
 */
export function searchOf({ q, path, identifier, ruleTag }: FindingFilters): Search | null | undefined {
  const own = [
    path && anyWords(path.map(pathWords)),
    identifier && anyWords(identifier.map(wordQuery)),
    ruleTag && anyWords(ruleTag.map(wordQuery)),
  ].filter((part) => part !== undefined);
  const words = q === undefined ? [] : wordsOf(q);
  if (own.includes(null) || (q !== undefined && words.length === 0)) return null;
  if (own.length === 0 && words.length === 0) return undefined;
  return { own: own.length === 0 ? null : own.join(' & '), words };
}

/**
 * Returns all filters, `q` included, as one condition on findings `f`: for counting and collecting, not for paging. For `many`
 * findings, the texts with each word are listed once.
 */
export function selectionOf(filters: FindingFilters, parameters: Parameters, many = false): string {
  const search = searchOf(filters);
  const words = search === undefined ? [] : search === null ? ['false'] : [searchCondition(search, parameters, many)];
  const [own, ...conditions] = conditionsOf(filters, parameters);
  // Words come first: they rule most findings out, and cost less than reading the facts.
  return [own, ...words, ...conditions].join(' AND ');
}
