import { ranksOf } from '@assay/scanner/contract/severity.ts';
import { earliestId } from '../../platform/id.ts';
import type { Parameters } from '../filter.ts';
import { conditionOf } from '../filters/select.ts';
import { type FilterName, type FindingFilters, filterEntries } from '../filters/table.ts';
import { isOpen, statuses } from '../lifecycle.ts';
import { orders, type Sort } from '../orders.ts';
import { afterPosition, type Position } from './list-order.ts';

/** The index that a list reads, its order and its start. */
export type Ordered = { filters: FindingFilters; sort: Sort; after: Position | null };

/** A part of an index. */
type Range = {
  conditions: (parameters: Parameters) => string[];
  /** The position behind which it begins, null for its beginning; by default the end of the previous page. */
  after?: Position | null;
};

/** A walk of an index in the requested order: the ranges to merge, and the filters that they cover. */
export type Walk = { ranges: Range[]; covers: FilterName[] };

const everything: Range = { conditions: () => [] };

/** The filters that lead an index, the most selective first. */
const leading = filterEntries
  .flatMap(([filter, { index }]) => (index?.leads ? [{ filter, ...index, ...index.leads }] : []))
  .sort((a, b) => a.rank - b.rank);

/** Returns the first of these filters that has a single value, with its column. */
export function leadingFilter(filters: FindingFilters) {
  for (const { filter, column, serves } of leading) {
    const values = filters[filter] as string[] | undefined;
    if (values?.length === 1 && serves?.(values) !== false) return { filter, column, value: values[0]! };
  }
  return undefined;
}

/** Returns the ranges of a value in the order of severity, one for each severity, behind the end of the previous page. */
function bySeverity(column: string, value: string, ranks: number[], { after }: Ordered): Range[] {
  const reached = after ? Number(after[0]) : Number.POSITIVE_INFINITY;
  const { columns, descending } = orders['-severity'];
  const byTime = { columns: columns.slice(1), descending };
  const ofSeverity = (rank: number) => (parameters: Parameters) => {
    const given = parameters.add(rank);
    // With `=`, the planner no longer sees that the entries are in the order of severity.
    const holds = `f.${column} = ${parameters.add(value)} AND f.severity BETWEEN ${given} AND ${given}`;
    return [holds, ...(rank === reached ? afterPosition(byTime, after!.slice(1), parameters) : [])];
  };
  return ranks.filter((rank) => rank <= reached).map((rank) => ({ conditions: ofSeverity(rank), after: null }));
}

/**
 * Returns the ranges of an index whose columns are this one, the severity, and the time of the first sighting. It is in order by
 * severity for one value; for one value and severity it is in order by time, and a period is one piece of it.
 */
function rangesOf(column: string, values: string[], request: Ordered): Range[] {
  const { filters, sort } = request;
  const { severity, from, to } = filters;
  const ranks = ranksOf(severity);
  const is = (value: string, parameters: Parameters) => `f.${column} = ${parameters.add(value)}`;
  if (sort !== '-severity')
    return values.flatMap((value) =>
      ranks.map((rank) => ({ conditions: (p) => [`${is(value, p)} AND f.severity = ${p.add(rank)}`] })),
    );
  if (severity || from || to) return values.flatMap((value) => bySeverity(column, value, ranks, request));
  return values.map((value) => ({ conditions: (p) => [is(value, p)] }));
}

/** The ranges of several statuses are merged. */
const byStatus = (request: Ordered): Walk => ({
  ranges: rangesOf('status', request.filters.status ?? [...statuses], request),
  covers: ['status', 'severity', 'from', 'to'],
});

/** The index on priorities is in order for one severity. */
function byPriority({ severity, priority_min }: FindingFilters): Walk {
  const ranges = ranksOf(severity).map(
    (rank): Range => ({
      conditions: (parameters) => [
        `f.severity = ${parameters.add(rank)}`,
        ...(priority_min === undefined ? [] : [conditionOf('priority_min', priority_min, parameters)]),
      ],
    }),
  );
  return { ranges, covers: ['severity', 'priority_min'] };
}

/** Returns the time a day before, for bounds on what was written by another clock, or by one that was set back. */
export const dayBefore = (time: Date): Date => new Date(time.getTime() - 86_400_000);

/**
 * Findings are due after they were first seen. Those without a due date come last, closed ones among them, in the order of
 * their ids, which are not older than the finding. So the beginning of a period bounds both.
 */
function byDueDate({ filters: { status, from }, after }: Ordered): Walk {
  // PostgreSQL spells years before Christ in another way.
  const since = from && new Date(Math.max(0, dayBefore(from).getTime()));
  const firstId = since ? earliestId('fnd', since.getTime()) : '';
  const due: Range = { conditions: () => [`f.due_at < 'infinity'`] };
  if (since && !after) due.after = [since.toISOString(), ''];
  const notDue: Range = { conditions: () => [] };
  if (after?.[0] !== 'infinity' || after[1]! < firstId) notDue.after = ['infinity', firstId];
  const isClosed = status?.every((one) => !isOpen(one));
  if (isClosed || after?.[0] === 'infinity') return { ranges: [notDue], covers: [] };
  if (!from) return { ranges: [everything], covers: [] };
  return { ranges: [due, notDue], covers: [] };
}

/** Returns the walk of an index with only what a filter selects, in the order of the first sighting. */
function byFirstSeen(filters: FindingFilters): Walk | undefined {
  for (const [name, { index }] of filterEntries) {
    const value = filters[name];
    if (!index?.byFirstSeen || value === undefined || index.serves?.(value) === false) continue;
    return { ranges: [{ conditions: (p) => [conditionOf(name, value, p)] }], covers: [name, 'from', 'to'] };
  }
  return undefined;
}

/** Picks the index that a list is read by. */
export function chooseWalk(request: Ordered): Walk {
  const { filters, sort } = request;
  if (sort === '-priority') return byPriority(filters);
  if (sort === 'due_at') return byDueDate(request);
  if (sort.endsWith('updated_at')) return { ranges: [everything], covers: ['updated_from', 'updated_to'] };
  const lead = leadingFilter(filters);
  if (lead)
    return {
      ranges: rangesOf(lead.column, [lead.value], request),
      covers: [lead.filter, 'severity', 'from', 'to'],
    };
  if (sort === '-severity') return byStatus(request);
  const few = byFirstSeen(filters);
  if (few) return few;
  if (filters.status || filters.severity) return byStatus(request);
  return { ranges: [everything], covers: ['from', 'to'] };
}
