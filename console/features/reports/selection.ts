import type { FindingFacetsParams, ReportCreation } from '@assay/client';

type ReportFilters = NonNullable<ReportCreation['filters']>;

/** The selection in the form. */
export type Selection = {
  severity: string[];
  status: string[];
  source: string[];
  data_source: string[];
  from: string;
  to: string;
};

export const emptySelection: Selection = { severity: [], status: [], source: [], data_source: [], from: '', to: '' };

const lists = ['severity', 'status', 'source', 'data_source'] as const;

export function selectionOf(filters: ReportFilters): Selection {
  const read = (value: readonly string[] | string | undefined) =>
    value === undefined ? [] : typeof value === 'string' ? value.split(',') : [...value];
  const chosen = Object.fromEntries(lists.map((name) => [name, read(filters[name])]));
  return { ...emptySelection, ...chosen, from: filters.from?.slice(0, 10) ?? '', to: filters.to?.slice(0, 10) ?? '' };
}

/** The filters of a report. Those that the form does not show stay as they were. */
export function filtersOf({ from, to, ...selection }: Selection, kept: ReportFilters = {}): ReportFilters {
  const given = lists.filter((name) => selection[name].length > 0).map((name) => [name, selection[name]]);
  const others = Object.entries(kept).filter(
    ([name]) => !(lists as readonly string[]).includes(name) && name !== 'from' && name !== 'to',
  );
  return {
    ...Object.fromEntries([...others, ...given]),
    ...(from !== '' && { from: `${from}T00:00:00Z` }),
    ...(to !== '' && { to: `${to}T23:59:59Z` }),
  };
}

/** The parameters that count what a report would cover. */
export const countParams = (filters: ReportFilters): FindingFacetsParams =>
  ({ ...filters, field: ['severity'] }) as FindingFacetsParams;
