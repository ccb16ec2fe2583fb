import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { writeChoices } from '../../filters/filters.ts';

/** The findings that the palette shows. */
export const shownFindings = 4;
/** The values of each filter. */
const shownValues = 3;
/** Shorter texts occur in too many findings to be of use. */
export const minLength = 2;

/** Findings, identifiers, packages and rules for a text that may be unfinished: one request for each key. */
export const suggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) =>
      assay.findings.suggest({ q: text, limit: shownValues, findings: shownFindings + 1 }, { signal }),
    enabled: text.length >= minLength,
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
