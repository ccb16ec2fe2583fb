import type { FindingListParams } from '@assay/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { writeChoices } from '../../filters/filters.ts';

/** The findings that the palette shows. */
export const shownFindings = 4;
/** The values of each filter. */
const shownValues = 3;
/** Shorter texts occur in too many findings to be of use. */
export const minLength = 2;

const fields = ['id', 'number', 'title', 'severity', 'status', 'data_source'] as const;

const list = (filters: FindingListParams, signal: AbortSignal) =>
  assay.findings
    .list({ ...filters, sort: '-priority', fields: [...fields], limit: shownFindings + 1 }, { signal })
    .then(({ data }) => data);

/** The most urgent findings with all words, also closed ones. */
export const findingsQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', 'findings', text],
    queryFn: ({ signal }) => list({ q: text }, signal),
    enabled: text.length >= minLength,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });

/** Identifiers, packages and rules that contain the words, with their open findings. */
export const valuesQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', 'values', text],
    queryFn: async ({ signal }) => (await assay.findings.suggest({ q: text, limit: shownValues }, { signal })).data,
    enabled: text.length >= minLength,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });

/** The most urgent open findings with a value: what is typed is often the beginning of one. */
export const findingsWithQuery = (value: { filter: 'identifier' | 'package' | 'rule'; value: string } | undefined) =>
  queryOptions({
    queryKey: ['search', 'findings with', value?.filter, value?.value],
    queryFn: ({ signal }) =>
      list({ [value!.filter]: [value!.value], status: ['new', 'triaged', 'in_progress'] }, signal),
    enabled: value !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });

/** The filters of a list of findings with one value. */
export const filterBy = (filter: string, value: string): Record<string, string> => ({
  [filter]: writeChoices([{ value, excluded: false }]),
});

/** The newest 200 active decisions that have a scope wider than one finding. */
export const activeDecisionsQuery = queryOptions({
  queryKey: ['decisions', 'search'],
  queryFn: async ({ signal }) =>
    (await assay.decisions.list({ status: ['active'], single: false, limit: 200 }, { signal })).data,
  staleTime: 60_000,
});
