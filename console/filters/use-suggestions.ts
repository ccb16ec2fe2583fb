import type { FindingFacetsParams } from '@assay/client';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { assay } from '../api/client.ts';
import { type Place, type Suggestion, suggestKeys, suggestValues } from './completion.ts';
import { type Filters, without } from './filters.ts';
import type { Field, Grammar, Value } from './grammar.ts';
import { filtersAt } from './parameters.ts';
import { type Operator, type RangeField, readRange, sayRelative } from './ranges.ts';
import { rowOf } from './table.ts';

/** The delay between the last key and the request for values. */
const askAfterMs = 200;
const maxShown = 30;

/** The values of a filter that contain a text, themselves or in their names, each with its number of findings. */
export const facetValuesQuery = (filters: Filters, now: number, name: string, text: string) =>
  queryOptions({
    queryKey: ['findings', 'facet values', name, text, filters, now],
    queryFn: async ({ signal }) => {
      const parameters = { ...filtersAt(filters, now), field: [name], ...(text !== '' && { value_q: text }) };
      const { facets } = await assay.findings.facets(parameters as FindingFacetsParams, { signal });
      return facets[0]?.values ?? [];
    },
    placeholderData: keepPreviousData,
  });

/** The text, once typing has paused. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), askAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const durations = {
  back: ['<24h', '<7d', '<30d', '<90d', '>30d', '>90d', '>52w'],
  ahead: ['<24h', '<7d', '<30d', '<90d'],
};

/** Examples of accepted ranges, in words. */
export function rangeValues(field: RangeField): Value[] {
  if (field.kind === 'number') {
    const { minimum = 0, maximum = 100 } = rowOf(field.from ?? field.to ?? '') ?? {};
    return [0.1, 0.5, 0.9].map((share) => {
      const limit = minimum + share * (maximum - minimum);
      return field.from === undefined
        ? { value: `<${limit}`, label: `at most ${limit}` }
        : { value: `>${limit}`, label: `at least ${limit}` };
    });
  }
  return durations[field.direction ?? 'back'].flatMap((value) => {
    const bounds = readRange(field, value.charAt(0) as Operator, value.slice(1)) ?? {};
    const bound = bounds.from === undefined ? 'to' : 'from';
    if (field[bound] === undefined) return [];
    const distance = sayRelative(value.slice(1))!.replace('in ', '');
    if (field.direction === 'ahead') return [{ value, label: `within ${distance}` }];
    return [{ value, label: bound === 'from' ? `in the last ${distance}` : `more than ${distance} ago` }];
  });
}

const flagValues: Value[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

type Counted = Value & { count?: number | undefined };

/** The known values of a field, with counts if known. */
function valuesOf(
  field: Field,
  grammar: Grammar,
  counted: readonly { value: string; label: string | null; count: number }[],
): Counted[] {
  if (field.kind === 'flag') return flagValues;
  if (field.kind !== 'list') return rangeValues(field);
  const known = grammar.vocabularyOf(field)?.values ?? [];
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const others = counted.filter(({ value }) => !known.some((one) => one.value === value));
  return [
    ...known.map((value) => ({ ...value, count: counts.get(value.value) })),
    ...others.map(({ value, label, count }) => ({ value, label: label ?? value, count })),
  ];
}

/** Suggests keys for a position in the text, or values by name, each with its number of findings. */
export function useSuggestions(place: Place | null, grammar: Grammar, filters: Filters, now: number): Suggestion[] {
  const typed = useSettled(place?.kind === 'value' ? place.typed : '');
  const field = place?.kind === 'value' && place.field.kind === 'list' ? place.field : null;
  const name = field?.filter ?? '';
  const { data } = useQuery({
    ...facetValuesQuery(without(filters, name), now, name, typed),
    enabled: field !== null && rowOf(name)?.facet != null,
  });
  if (!place) return [];
  if (place.kind === 'key') return suggestKeys(grammar.fields, place.typed);
  return suggestValues(place, valuesOf(place.field, grammar, field && data ? data : [])).slice(0, maxShown);
}
