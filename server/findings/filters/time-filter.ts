import { momentInput } from '../../platform/http/schema.ts';
import { formatRelativeTime, momentExpectation, readMoment } from '../../platform/times.ts';
import type { NumberColumn } from '../columns/term.ts';
import { type Bound, defineFilter, type Filter, type Parameters } from '../filter.ts';
import type { FilteredFinding } from '../filtered-finding.ts';

const secondAfter = (time: Date) => new Date(time.getTime() + 1000);

/** The times of a finding that lists can be filtered by. */
type TimeColumn = 'first_seen_at' | 'updated_at' | 'due_at' | 'accepted_until';

const numberColumns = {
  first_seen_at: 'firstSeenAt',
  updated_at: 'updatedAt',
  due_at: 'dueAt',
  accepted_until: 'acceptedUntil',
} as const satisfies Record<TimeColumn, NumberColumn>;

type TimeFilter = Pick<Filter<ReturnType<typeof momentInput>, Date>, 'label' | 'keys' | 'samples'> & {
  description: string;
  column: TimeColumn;
  bound: Required<Bound>;
};

/**
 * Creates a filter for the start or the end of a time range. The limit is inclusive and has a precision of one second.
 */
export function timeFilter({ description, column, bound, ...filter }: TimeFilter) {
  const { end } = bound;
  return defineFilter<ReturnType<typeof momentInput>, Date>({
    ...filter,
    schema: momentInput(description),
    control: { kind: 'time', ...bound },
    read: (given, { now, refuse }) => {
      const any = readMoment(given, now, end);
      if (any === null) throw refuse(momentExpectation);
      return { any };
    },
    dependsOnNow: (given) => formatRelativeTime(given) !== null,
    condition: (time: Date, parameters: Parameters) =>
      end === 'from'
        ? `f.${column} >= ${parameters.add(time)}::timestamptz`
        : `f.${column} < ${parameters.add(secondAfter(time))}::timestamptz`,
    column: (time: Date) =>
      end === 'from'
        ? { number: numberColumns[column], from: time.getTime() * 1000 }
        : { number: numberColumns[column], before: secondAfter(time).getTime() * 1000 },
    matches: (finding: FilteredFinding, time: Date) => {
      const text = finding[column];
      if (text === null) return false;
      const own = Date.parse(text);
      return end === 'from' ? own >= time.getTime() : own <= time.getTime();
    },
  });
}
