import { findDetector } from '../detection/registry.ts';
import { listPushSources } from '../detection/scans/push-source-queries.ts';
import type { IdKind } from '../findings/filter.ts';
import { readNegation } from '../findings/filters/negation.ts';
import { type AnyFilter, type FilterInput, type FilterName, filterEntries } from '../findings/filters/table.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { ReportHead } from './report-model.ts';
import { sayOwn, type Wording } from './sentences/wording.ts';

/**
 * Returns the display names of detection sources. The name of a source that neither runs here nor came from an import
 * is its type.
 */
export async function nameSources(tx: Db, orgId: string, types: string[]): Promise<Record<string, string>> {
  const pushed = new Map((await listPushSources(tx, orgId)).map(({ type, name }) => [type, name]));
  return Object.fromEntries(types.map((type) => [type, findDetector(type)?.name ?? pushed.get(type) ?? type]));
}

export type Names = { sources: Record<string, string>; dataSources: Map<string, string>; users: Map<string, string> };

/** Returns the values of some filters, without the `-` of exclusions. */
export const valuesNamedAs = (kind: IdKind, input: FilterInput): string[] =>
  filterEntries.flatMap(([name, { control }]) => {
    const isOfKind = control.kind === 'choice' && control.names === kind;
    return isOfKind ? [input[name] ?? []].flat().map((value) => String(value).replace(/^-/, '')) : [];
  });

/** Returns the filters in readable form, in the order of their table. */
export function describeFilters(input: FilterInput, names: Names, words: Wording): ReportHead['selection']['en'] {
  const { say, language } = words;
  const nameOf: Record<IdKind, (value: string) => string | undefined> = {
    detection_source: (type) => names.sources[type],
    data_source: (id) => names.dataSources.get(id),
    person: (id) => names.users.get(id) ?? (id === 'me' ? say('filter.author') : undefined),
    rule: () => undefined,
  };
  const sayValue = (name: FilterName, { control }: AnyFilter, value: string): string => {
    if (control.kind !== 'choice') return value;
    const named = control.names && nameOf[control.names](value);
    const label = control.values?.find((known) => known.value === value)?.label?.[language];
    return named ?? sayOwn(`${name}.${value}`, words) ?? label ?? value;
  };
  const sayList = (name: FilterName, filter: AnyFilter, given: string[]): string[] => {
    const { any, none } = readNegation(given) ?? { any: given, none: undefined };
    const excluded = (none ?? []).map((value) => say('filter.not', { value: sayValue(name, filter, value) }));
    return [...(any ?? []).map((value) => sayValue(name, filter, value)), ...excluded];
  };
  return filterEntries.flatMap(([name, filter]) => {
    const given = input[name];
    if (given === undefined) return [];
    if (Array.isArray(given)) return [{ label: filter.label[language], values: sayList(name, filter, given) }];
    const value = typeof given === 'boolean' ? say(given ? 'filter.yes' : 'filter.no') : String(given);
    return [{ label: filter.label[language], values: [value] }];
  });
}
