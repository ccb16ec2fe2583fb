import { type FilterName, type FindingFilters, filterEntries, filters } from '../filters/table.ts';

const namesOf = (given: FindingFilters): FilterName[] =>
  filterEntries.map(([name]) => name).filter((name) => given[name] !== undefined);

const ofDataSources = filterEntries.filter(([, filter]) => filter.selectsDataSources).map(([name]) => name);

/** Returns the same filters with a single filter on data source ids in place of all that select data sources. */
export function narrowed(given: FindingFilters): FindingFilters {
  const lists = ofDataSources.map((name) => given[name] as string[] | undefined).filter((ids) => ids !== undefined);
  if (lists.length === 0) return given;
  const [first, ...rest] = lists.map((ids) => new Set(ids));
  const others = Object.fromEntries(
    Object.entries(given).filter(([name]) => !ofDataSources.includes(name as FilterName)),
  );
  return { ...others, data_source: [...first!].filter((id) => rest.every((ids) => ids.has(id))) };
}

/** Returns the filters without one of them, including its exclusions. */
export function withoutFilter(given: FindingFilters, name: FilterName): FindingFilters {
  const { [name]: _, ...excluded } = given.excluded ?? {};
  const some = Object.keys(excluded).length > 0;
  return { ...given, [name]: undefined, excluded: some ? excluded : undefined };
}

/**
 * Returns whether the stored counts (`finding_counts`) support all the filters: their columns are those of findings.
 */
export const isKept = (given: FindingFilters): boolean =>
  [...namesOf(given), ...namesOf(given.excluded ?? {})].every((name) => 'isKept' in filters[name]);
