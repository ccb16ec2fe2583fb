import { findDetector } from '../detection/registry.ts';
import { listPushSources } from '../detection/scans/push-source-queries.ts';
import { readNegation } from '../findings/negation.ts';
import type { FilterInput } from '../findings/read-filters.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { ReportHead } from './report-model.ts';

/**
 * Returns the display names of detection sources. A source that neither runs here nor came from an import keeps its
 * type.
 */
export async function nameSources(tx: Db, orgId: string, types: string[]): Promise<Record<string, string>> {
  const pushed = new Map((await listPushSources(tx, orgId)).map(({ type, name }) => [type, name]));
  return Object.fromEntries(types.map((type) => [type, findDetector(type)?.name ?? pushed.get(type) ?? type]));
}

export type Names = { sources: Record<string, string>; dataSources: Map<string, string>; users: Map<string, string> };

const words = (value: string) => value[0]!.toUpperCase() + value.slice(1).replaceAll('_', ' ');

/** Returns the values of a list filter in readable form: those that it excludes say so. */
function describeList(values: readonly string[] | undefined, describe = (value: string) => value) {
  const { any, none } = readNegation(values) ?? { any: [...(values ?? [])], none: undefined };
  if (!any && !none) return undefined;
  return [...(any ?? []).map(describe), ...(none ?? []).map((value) => `not ${describe(value)}`)];
}

const single = (value: string | undefined) => (value === undefined ? undefined : [value]);

/** Returns the filters in readable form, in a fixed order. */
export function describeFilters(filters: FilterInput, names: Names): ReportHead['selection'] {
  const person = (value: string) =>
    value === 'none' ? 'Nobody' : value === 'me' ? 'The report’s author' : (names.users.get(value) ?? value);
  const entries: Array<[string, string[] | undefined]> = [
    ['Severity', describeList(filters.severity, words)],
    ['Status', describeList(filters.status, words)],
    ['Detection source', describeList(filters.source, (type) => names.sources[type] ?? type)],
    ['Data source', describeList(filters.data_source, (id) => names.dataSources.get(id) ?? id)],
    ['Tag of the data source', describeList(filters.data_source_tag)],
    ['Owner of the data source', describeList(filters.owner, person)],
    ['Criticality of the data source', describeList(filters.criticality, words)],
    ['First seen from', single(filters.from)],
    ['First seen until', single(filters.to)],
    ['Changed since', single(filters.updated_from)],
    ['Not changed since', single(filters.updated_to)],
    ['Reopened', filters.reopened === undefined ? undefined : [filters.reopened ? 'Yes' : 'No']],
    ['Risk accepted until', single(filters.accepted_until_to)],
    ['Lowest priority', single(filters.priority_min?.toString())],
    ['Known to be exploited', filters.kev === undefined ? undefined : [filters.kev ? 'Yes' : 'No']],
    ['Lowest EPSS score', single(filters.epss_min?.toString())],
    ['One of each problem', filters.unique === undefined ? undefined : [filters.unique ? 'Yes' : 'No']],
    ['Overdue', filters.overdue === undefined ? undefined : [filters.overdue ? 'Yes' : 'No']],
    ['Due until', single(filters.due_to)],
    ['Tag', describeList(filters.tag)],
    ['Assignee', describeList(filters.assignee, person)],
    ['Rule', describeList(filters.rule)],
    ['Tag of the rule', describeList(filters.rule_tag)],
    ['Identifier', describeList(filters.identifier)],
    ['Path', describeList(filters.path)],
    ['Package', describeList(filters.package)],
    ['Search text', single(filters.q)],
  ];
  return entries.flatMap(([label, values]) => (values ? [{ label, values }] : []));
}
