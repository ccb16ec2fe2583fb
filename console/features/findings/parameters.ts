import type { FindingGroupListParams, FindingListParams } from '@assay/client';
import type { Filters } from '../../filters/filters.ts';
import { filtersAt } from '../../filters/parameters.ts';
import { filterRows, sortRows } from '../../filters/table.ts';
import { listedFields } from './listed-finding.ts';

const pageSize = 200;
export const defaultSort = '-priority';

/** The orders for these filters. Relevance needs search words. */
export const sortsFor = (filters: Filters) =>
  sortRows.filter(({ needs }) => needs === undefined || filters[needs] !== undefined);

/** Returns the order in an address if it is valid for these filters. */
export const sortOf = (text: string | undefined, filters: Filters): string =>
  sortsFor(filters).find(({ value }) => value === text)?.value ?? defaultSort;

/** The orders by a field of findings. */
export const sortsBy = (field: string): string[] =>
  sortRows.map(({ value }) => value).filter((value) => value.replace(/^-/, '') === field);

export type GroupBy = FindingGroupListParams['by'];

/** The filters by whose values findings are grouped, with their names. */
export const groupings = filterRows
  .filter(({ grouping }) => grouping)
  .map(({ name, label }) => ({ by: name as GroupBy, name: label.toLowerCase() }));

export const groupOf = (text: string | undefined): GroupBy | null =>
  groupings.find(({ by }) => by === text)?.by ?? null;

/** The first page of the list. */
export const listParameters = (filters: Filters, sort: string, loadedAt: number): FindingListParams => ({
  ...(filtersAt(filters, loadedAt) as FindingListParams),
  sort: sort as NonNullable<FindingListParams['sort']>,
  fields: [...listedFields],
  limit: pageSize,
});

/** The filters whose values the rail shows with counts: those that the API counts for every list. */
const railFields = filterRows.filter(({ facet }) => facet === 'quick').map(({ name }) => name);

export const facetParameters = (filters: Filters, loadedAt: number) => ({
  ...filtersAt(filters, loadedAt),
  field: railFields,
});
