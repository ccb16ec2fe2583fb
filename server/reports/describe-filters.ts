import type { Criticality } from '../data-sources/importance.ts';
import { findDetector } from '../detection/registry.ts';
import { listPushSources } from '../detection/scans/push-source-queries.ts';
import { readNegation } from '../findings/filters/negation.ts';
import type { FilterInput } from '../findings/filters/table.ts';
import type { Status } from '../findings/lifecycle.ts';
import type { Severity } from '../findings/severity.ts';
import type { ContextChoice } from '../findings/test-path.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { ReportHead } from './report-model.ts';
import type { Wording } from './sentences/wording.ts';

/**
 * Returns the display names of detection sources. A source that neither runs here nor came from an import keeps its
 * type.
 */
export async function nameSources(tx: Db, orgId: string, types: string[]): Promise<Record<string, string>> {
  const pushed = new Map((await listPushSources(tx, orgId)).map(({ type, name }) => [type, name]));
  return Object.fromEntries(types.map((type) => [type, findDetector(type)?.name ?? pushed.get(type) ?? type]));
}

export type Names = { sources: Record<string, string>; dataSources: Map<string, string>; users: Map<string, string> };

type FilterName = Exclude<keyof FilterInput, 'sort'>;

const single = (value: string | undefined) => (value === undefined ? undefined : [value]);

/** Returns the filters in readable form, in a fixed order. */
export function describeFilters(filters: FilterInput, names: Names, words: Wording): ReportHead['selection'] {
  const { say } = words;
  const yesOrNo = (value: boolean | undefined) =>
    value === undefined ? undefined : [say(value ? 'filter.yes' : 'filter.no')];
  /** Returns the values of a list filter in readable form: those that it excludes say so. */
  const list = (values: readonly string[] | undefined, describe = (value: string) => value) => {
    const { any, none } = readNegation(values) ?? { any: [...(values ?? [])], none: undefined };
    if (!any && !none) return undefined;
    const excluded = (none ?? []).map((value) => say('filter.not', { value: describe(value) }));
    return [...(any ?? []).map(describe), ...excluded];
  };
  const person = (value: string) =>
    value === 'none' ? say('filter.nobody') : value === 'me' ? say('filter.author') : (names.users.get(value) ?? value);
  const entries: Array<[FilterName, string[] | undefined]> = [
    ['severity', list(filters.severity, (value) => say(`severity.${value as Severity}`))],
    ['status', list(filters.status, (value) => say(`status.${value as Status}`))],
    ['source', list(filters.source, (type) => names.sources[type] ?? type)],
    ['data_source', list(filters.data_source, (id) => names.dataSources.get(id) ?? id)],
    ['data_source_tag', list(filters.data_source_tag)],
    ['owner', list(filters.owner, person)],
    ['criticality', list(filters.criticality, (value) => say(`filter.criticality.${value as Criticality}`))],
    ['from', single(filters.from)],
    ['to', single(filters.to)],
    ['updated_from', single(filters.updated_from)],
    ['updated_to', single(filters.updated_to)],
    ['reopened', yesOrNo(filters.reopened)],
    ['accepted_until_to', single(filters.accepted_until_to)],
    ['priority_min', single(filters.priority_min?.toString())],
    ['kev', yesOrNo(filters.kev)],
    ['epss_min', single(filters.epss_min?.toString())],
    ['context', list(filters.context, (value) => say(`filter.context.${value as ContextChoice}`))],
    ['unique', yesOrNo(filters.unique)],
    ['overdue', yesOrNo(filters.overdue)],
    ['due_to', single(filters.due_to)],
    ['tag', list(filters.tag)],
    ['assignee', list(filters.assignee, person)],
    ['rule', list(filters.rule)],
    ['rule_tag', list(filters.rule_tag)],
    ['identifier', list(filters.identifier)],
    ['path', list(filters.path)],
    ['package', list(filters.package)],
    ['q', single(filters.q)],
  ];
  return entries.flatMap(([name, values]) => (values ? [{ label: say(`filter.${name}`), values }] : []));
}
