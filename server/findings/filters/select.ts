import { createHash } from 'node:crypto';
import type { Statement } from '../../platform/postgres/database.ts';
import type { Parameters } from '../filter.ts';
import { type Search, searchCondition } from '../shared-texts.ts';
import { type FilterName, type FindingFilters, filterEntries, filters } from './table.ts';

/**
 * Returns a statement that is prepared under a name derived from its text: each combination of filters is planned once
 * per connection.
 */
export const preparedByText = (text: string, values: unknown[]): Statement => ({
  name: `findings_${createHash('sha1').update(text).digest('base64url')}`,
  text,
  values,
});

/**
 * Returns the condition for findings `f` that match a filter. Throws if the filter has none, since it would select all
 * findings.
 */
function conditionOf<Name extends FilterName>(
  name: Name,
  value: Exclude<FindingFilters[Name], undefined>,
  parameters: Parameters,
): string {
  const condition = filters[name].condition(value as never, parameters);
  if (condition.trim() === '') throw new Error(`The filter ${name} has no condition.`);
  return condition;
}

/**
 * Returns the conditions of all filters except searches on findings `f` as SQL, to be joined with AND. The first is the
 * organization.
 */
function conditionsOf(given: FindingFilters, parameters: Parameters): string[] {
  const conditions = ['f.org_id = $1'];
  for (const [name, { search }] of filterEntries) {
    const [any, none] = [given[name], given.excluded?.[name]];
    if (any !== undefined && !search) conditions.push(conditionOf(name, any, parameters));
    if (none !== undefined) conditions.push(`NOT ${conditionOf(name, none, parameters)}`);
  }
  return conditions;
}

/**
 * Returns the words that all matching findings have: those of `q`, paths, identifiers and rule tags. Undefined if the
 * filters contain no words; null if no finding can have them.
 */
function searchOf(given: FindingFilters): Search | null | undefined {
  const own: string[] = [];
  const words: string[] = [];
  for (const [name, filter] of filterEntries) {
    const value = given[name];
    if (value === undefined) continue;
    const query = filter.words?.(value);
    const searched = filter.search?.(value);
    if (query === null || searched?.length === 0) return null;
    if (query !== undefined) own.push(query);
    words.push(...(searched ?? []));
  }
  if (own.length === 0 && words.length === 0) return undefined;
  return { own: own.length === 0 ? null : own.join(' & '), words };
}

/**
 * Returns all filters, searches included, as one condition on findings `f`: for counting and collecting, not for
 * paging. With `many` findings, the texts with each word are listed once.
 */
export function selectionOf(given: FindingFilters, parameters: Parameters, many = false): string {
  const search = searchOf(given);
  const words = search === undefined ? [] : search === null ? ['false'] : [searchCondition(search, parameters, many)];
  const [own, ...conditions] = conditionsOf(given, parameters);
  // Words come first: they rule out most findings, and cost less than reading the facts.
  return [own, ...words, ...conditions].join(' AND ');
}
