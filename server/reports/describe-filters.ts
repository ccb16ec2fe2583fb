import { findDetector } from '../detection/registry.ts';
import { listPushSources } from '../detection/scans/push-source-queries.ts';
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

/** Returns the filters in readable form, in a fixed order. */
export function describeFilters(filters: FilterInput, names: Names): ReportHead['selection'] {
  const person = (one: string) =>
    one === 'none' ? 'Nobody' : one === 'me' ? 'The report’s author' : (names.users.get(one) ?? one);
  const entries: Array<[string, string[] | undefined]> = [
    ['Severity', filters.severity?.map(words)],
    ['Status', filters.status?.map(words)],
    ['Detection source', filters.source?.map((type) => names.sources[type] ?? type)],
    ['Data source', filters.data_source?.map((id) => names.dataSources.get(id) ?? id)],
    ['First seen from', filters.from === undefined ? undefined : [filters.from]],
    ['First seen until', filters.to === undefined ? undefined : [filters.to]],
    ['Changed since', filters.updated_from === undefined ? undefined : [filters.updated_from]],
    ['Tag', filters.tag],
    ['Assignee', filters.assignee?.map(person)],
    ['Rule', filters.rule],
    ['Search text', filters.q === undefined ? undefined : [filters.q]],
  ];
  return entries.flatMap(([label, values]) => (values ? [{ label, values }] : []));
}
