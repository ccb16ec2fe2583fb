import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dataSourceChoicesQuery, detectionSourcesQuery, maxChoices, memberChoicesQuery } from '../api/pickers.ts';
import { ruleNamesQuery } from '../api/rule-names.ts';
import type { NameOf } from './describe.ts';
import { type Filters, readChoices } from './filters.ts';
import type { Grammar, Value, Vocabulary } from './grammar.ts';
import { type FilterRow, fields, filterRows, valuesOf } from './table.ts';

/** Counts the findings per value of a filter, under the other filters: the values with the largest counts, or all. */
export type Counts = {
  field: string;
  more: boolean;
  values: readonly { value: string; label: string | null; count: number }[];
};

type Names = { values: Value[] | undefined; complete: boolean };

const namesOf = ({ control }: FilterRow) => (control.kind === 'choice' ? control.names : undefined);

/** Returns the ids of this kind in the filters whose names are not among the counts. */
function unnamedOf(kind: string, filters: Filters, counts: readonly Counts[]): string[] {
  return filterRows.flatMap((row) => {
    if (namesOf(row) !== kind) return [];
    const counted = counts.find(({ field }) => field === row.name)?.values ?? [];
    const known = new Set([...valuesOf(row), ...counted].map(({ value }) => value));
    return readChoices(filters[row.name]).flatMap(({ value }) => (known.has(value) ? [] : [value]));
  });
}

function vocabularyOf(row: FilterRow, names: Names | undefined, counts: Counts | undefined): Vocabulary {
  const own = valuesOf(row);
  const counted = (counts?.values ?? []).map(({ value, label }) => ({ value, label: label ?? value }));
  const { control } = row;
  if (control.kind === 'choice' && control.closed) return { values: own, known: 'all' };
  const isWhole = counts !== undefined && !counts.more;
  if (!names) return { values: [...own, ...counted], known: isWhole ? 'of_findings' : 'some' };
  if (!names.values) return { values: [...own, ...counted], known: 'loading' };
  const listed = new Set([...own, ...names.values].map(({ value }) => value));
  // Findings keep an assignee who has left the organization.
  const left = counted.filter(({ value }) => !listed.has(value));
  return {
    values: [...own, ...names.values, ...left],
    known: names.complete ? 'all' : isWhole ? 'of_findings' : 'some',
  };
}

type Person = { id: string; name: string; email: string };

/** People by name; those who share a name, by address too. */
function peopleOf(people: readonly Person[]): Value[] {
  const names = new Set<string>();
  const shared = new Set(people.map(({ name }) => name).filter((name) => names.size === names.add(name).size));
  return people.map(({ id, name, email }) => ({ value: id, label: shared.has(name) ? `${name} (${email})` : name }));
}

const none: readonly Counts[] = [];

/**
 * The filters with their known values. The names of data sources, people and rules are loaded if the filters contain some, or
 * with `isOpen`.
 */
export function useGrammar(filters: Filters, isOpen: boolean, counts: readonly Counts[] = none): Grammar {
  const isNeeded = (kind: string) => isOpen || unnamedOf(kind, filters, counts).length > 0;
  const sources = useQuery({ ...dataSourceChoicesQuery, enabled: isNeeded('data_source') });
  const members = useQuery({ ...memberChoicesQuery, enabled: isNeeded('person') });
  const scanners = useQuery({ ...detectionSourcesQuery, enabled: isNeeded('detection_source') });
  const rules = useQuery(ruleNamesQuery(unnamedOf('rule', filters, counts)));
  const isReading = [sources, members, scanners, rules].map(({ isLoading }) => isLoading);
  const reading = isReading.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reading` has all of `isReading`
  const names = useMemo((): Record<string, Names | undefined> => {
    const named = <Row>(
      isLoading: boolean | undefined,
      rows: Row[] | undefined,
      read: (rows: Row[]) => Value[],
      max: number,
    ) =>
      rows
        ? { values: read(rows), complete: rows.length < max }
        : isLoading
          ? { values: undefined, complete: false }
          : undefined;
    return {
      data_source: named(
        isReading[0],
        sources.data,
        (all) => all.map(({ id, name }) => ({ value: id, label: name })),
        maxChoices,
      ),
      person: named(isReading[1], members.data, peopleOf, Number.POSITIVE_INFINITY),
      // Findings may also come from other tools, through imports.
      detection_source: named(
        isReading[2],
        scanners.data,
        (all) => all.map(({ type, name }) => ({ value: type, label: name })),
        0,
      ),
      // There are too many to load all: the counts have the most frequent.
      rule: named(
        isReading[3],
        rules.data && [...rules.data],
        (all) => all.map(([value, label]) => ({ value, label })),
        0,
      ),
    };
  }, [sources.data, members.data, scanners.data, rules.data, reading]);
  return useMemo(() => {
    const vocabularies = new Map(
      filterRows.map((row) => [
        row.name,
        vocabularyOf(
          row,
          names[namesOf(row) ?? ''],
          counts.find(({ field }) => field === row.name),
        ),
      ]),
    );
    return { fields, vocabularyOf: (field) => ('filter' in field ? (vocabularies.get(field.filter) ?? null) : null) };
  }, [names, counts]);
}

/** Returns the names in a grammar, with a mark for those being loaded. */
export const nameIn =
  ({ fields, vocabularyOf }: Grammar): NameOf =>
  (filter, value) => {
    const field = fields.find((one) => 'filter' in one && one.filter === filter);
    const vocabulary = field ? vocabularyOf(field) : null;
    const label = vocabulary?.values.find((known) => known.value === value)?.label;
    return label ?? (vocabulary?.known === 'loading' ? '…' : null);
  };
