import { dataSourceFilters, type ExcludableFilter, type FindingFilters } from '../filters.ts';

/** Returns whether the filters need columns that no index of lists has, nor its traits. */
export const needsTable = ({ q, identifier, ruleTag, path, package: packages, ...filters }: FindingFilters): boolean =>
  [
    ...[q, identifier, ruleTag, path, packages, filters.excluded, filters.reopened, filters.acceptedUntilTo],
    ...[
      filters.overdue,
      filters.dueTo,
      filters.priorityMin,
      filters.kev,
      filters.epssMin,
      filters.unique,
      filters.context,
    ],
  ].some((filter) => filter !== undefined);

/** Returns whether a filter has values, of which none can match: those that were chosen are all excluded. */
export const selectsNothing = (filters: FindingFilters): boolean =>
  [
    filters.severity,
    filters.status,
    filters.context,
    filters.dataSource,
    ...dataSourceFilters.map((filter) => filters[filter]),
  ].some((values) => values?.length === 0);

/** Returns the same filters with one on the ids of data sources in place of all that select data sources. */
export function narrowed(filters: FindingFilters): FindingFilters {
  const { dataSource, dataSourceTag, owner, criticality, ...others } = filters;
  const given = [dataSource, dataSourceTag, owner, criticality].filter((ids) => ids !== undefined);
  if (given.length === 0) return filters;
  const [first, ...rest] = given.map((ids) => new Set(ids));
  return { ...others, dataSource: [...first!].filter((id) => rest.every((ids) => ids.has(id))) };
}

/** Returns the filters without one of them, and without what it excludes. */
export function withoutFilter(filters: FindingFilters, filter: keyof FindingFilters): FindingFilters {
  const { [filter as ExcludableFilter]: _, ...excluded } = filters.excluded ?? {};
  const some = Object.keys(excluded).length > 0;
  return { ...filters, [filter]: undefined, excluded: some ? excluded : undefined };
}

function withoutKept(filters: FindingFilters): FindingFilters {
  const { severity, status, source, dataSource, dataSourceTag, owner, criticality, ...others } = filters;
  return others;
}

/** Returns whether the kept figures (`finding_counts`) know all the filters: their columns are those of findings. */
export const isKept = ({ excluded, ...filters }: FindingFilters): boolean =>
  Object.values(withoutKept(filters)).every((value) => value === undefined) &&
  Object.keys(excluded ?? {}).every((filter) => filter === 'source' || filter === 'dataSource');
