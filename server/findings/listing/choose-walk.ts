import { earliestId } from '../../platform/id.ts';
import { type FindingFilters, type Parameters, priorityCondition } from '../filters.ts';
import { isOpen, statuses } from '../lifecycle.ts';
import { ranksOf } from '../severity.ts';
import { inTestsCondition } from '../test-path.ts';
import type { Position, Sort } from './list-order.ts';

/** What a list reads, in which order, and from where. */
export type Ordered = { filters: FindingFilters; sort: Sort; after: Position | null };

export type Filter = keyof FindingFilters;

/** A part of an index. */
type Range = {
  conditions: (parameters: Parameters) => string[];
  /** The position behind which it begins, if that is later than the end of the previous page. */
  after?: Position;
};

/** A walk of an index in the requested order: the ranges to merge, and the filters that they cover. */
export type Walk = { ranges: Range[]; covers: Filter[] };

const everything: Range = { conditions: () => [] };

/** The filters that have an index of their own for a single value, the most selective first. */
const leading = [
  ['assignee', 'assignee_id'],
  ['rule', 'rule_id'],
  ['dataSource', 'data_source_id'],
] as const;

/** Returns the first of these filters that has a single value, with its column. */
export function leadingFilter(filters: FindingFilters) {
  for (const [filter, column] of leading) {
    const values = filters[filter];
    if (values?.length === 1 && values[0] !== 'none') return { filter, column, value: values[0]! };
  }
  return undefined;
}

/**
 * The index on status and severity is in order for one status (by severity) or one of each (by time): its ranges are
 * merged.
 */
function pairs({ filters, sort }: Ordered): Walk {
  const ranks = ranksOf(filters.severity);
  const apart = filters.severity !== undefined || sort !== '-severity';
  const of = (status: string): Range => ({
    conditions: (parameters) => [`f.status = ${parameters.add(status)}`],
  });
  // A range of one value: with `=`, the planner no longer sees that the entries are in the order of severity.
  const equals = sort === '-severity' ? (rank: string) => `BETWEEN ${rank} AND ${rank}` : (rank: string) => `= ${rank}`;
  const both = (status: string, rank: number): Range => ({
    conditions: (parameters) => [`f.status = ${parameters.add(status)} AND f.severity ${equals(parameters.add(rank))}`],
  });
  const chosen = filters.status ?? statuses;
  const ranges = chosen.flatMap((status) => (apart ? ranks.map((rank) => both(status, rank)) : [of(status)]));
  return { ranges, covers: sort === '-severity' ? ['status', 'severity'] : ['status', 'severity', 'from', 'to'] };
}

/** The index on priorities is in order for one severity. */
function byPriority({ severity, priorityMin }: FindingFilters): Walk {
  const ranges = ranksOf(severity).map(
    (rank): Range => ({
      conditions: (parameters) => [
        `f.severity = ${parameters.add(rank)}`,
        ...(priorityMin === undefined ? [] : [priorityCondition(priorityMin, parameters)]),
      ],
    }),
  );
  return { ranges, covers: ['severity', 'priorityMin'] };
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

/** Chooses the walk of a list. */
export function chooseWalk(request: Ordered): Walk {
  const { filters, sort } = request;
  if (sort === '-severity') return pairs(request);
  if (sort === '-priority') return byPriority(filters);
  if (sort === 'due_at') return byDueDate(request);
  if (sort.endsWith('updated_at')) return { ranges: [everything], covers: ['updatedFrom', 'updatedTo'] };
  const lead = leadingFilter(filters);
  if (lead)
    return {
      ranges: [{ conditions: (parameters) => [`f.${lead.column} = ${parameters.add(lead.value)}`] }],
      covers: [lead.filter, 'from', 'to'],
    };
  if (filters.kev) return { ranges: [{ conditions: () => ['f.kev IS NOT NULL'] }], covers: ['kev', 'from', 'to'] };
  if (filters.context?.join() === 'test')
    return { ranges: [{ conditions: () => [inTestsCondition] }], covers: ['context', 'from', 'to'] };
  if (filters.reopened)
    return { ranges: [{ conditions: () => ['f.reopened_count > 0'] }], covers: ['reopened', 'from', 'to'] };
  if (filters.status || filters.severity) return pairs(request);
  return { ranges: [everything], covers: ['from', 'to'] };
}
