import { listRows } from '../columns/bits.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import type { FindingFilters } from '../filters/table.ts';
import { isOpen, type Status } from '../lifecycle.ts';
import { type Allowed, compareBytes, termsOf } from './questions.ts';

type Counted = { total: number; open: number };
/** The findings of a data source, or those of a source, severity (its rank) and status: the others are null. */
export type CountRow = Counted &
  (
    | { dataSourceId: string; source: null; severity: null; status: null }
    | { dataSourceId: null; source: string; severity: number; status: Status }
  );
/** The findings of a rule, or the open ones of a severity (its rank) in a band of age (its index). */
export type RuleOrAge =
  | (Counted & { kind: 'rule'; value: string; severity: null })
  | (Counted & { kind: 'age'; value: string; severity: number });

/** `ages` are the upper bounds of all bands but the last one, in microseconds; `now` is in microseconds since the epoch. */
export type SummaryQuestion = Allowed & { now: number; ages: readonly number[]; maxRules: number };

const severityCount = 5;
const isPresent = ({ total }: Counted) => total > 0;

/** Counts the findings that the filters select by what a summary has. */
export function summarize(
  columns: FindingColumns,
  given: FindingFilters,
  { now, ages, maxRules, ...allowed }: SummaryQuestion,
): { counts: CountRow[]; rulesAndAges: RuleOrAge[] } {
  const { dataSourceId, source, status, ruleId } = columns.texts;
  const [severities, firstSeenAt] = [columns.numbers('severity'), columns.numbers('firstSeenAt')];
  const opens = status.values.map((name) => isOpen(name as Status));
  const tally = (length: number) => ({ total: new Uint32Array(length), open: new Uint32Array(length) });
  const [dataSources, rules] = [tally(dataSourceId.values.length), tally(ruleId.values.length)];
  const statusCount = status.values.length;
  const cells = new Uint32Array(source.values.length * statusCount * severityCount);
  const bands = new Uint32Array((ages.length + 1) * severityCount);
  for (const row of listRows(columns.select(termsOf(given, allowed)))) {
    const [severity, state] = [severities[row]!, status.codes[row]!];
    const [place, rule] = [dataSourceId.codes[row]!, ruleId.codes[row]!];
    cells[(source.codes[row]! * statusCount + state) * severityCount + severity]! += 1;
    dataSources.total[place]! += 1;
    rules.total[rule]! += 1;
    if (!opens[state]) continue;
    dataSources.open[place]! += 1;
    rules.open[rule]! += 1;
    const age = now - firstSeenAt[row]!;
    let band = 0;
    while (band < ages.length && age >= ages[band]!) band += 1;
    bands[band * severityCount + severity]! += 1;
  }
  const byDataSource = dataSourceId.values.map(
    (id, code): CountRow => ({
      dataSourceId: id!,
      source: null,
      severity: null,
      status: null,
      total: dataSources.total[code]!,
      open: dataSources.open[code]!,
    }),
  );
  const byCell = [...cells].map((total, cell): CountRow => {
    const state = Math.floor(cell / severityCount) % statusCount;
    return {
      dataSourceId: null,
      source: source.values[Math.floor(cell / severityCount / statusCount)]!,
      severity: cell % severityCount,
      status: status.values[state] as Status,
      total,
      open: opens[state] ? total : 0,
    };
  });
  const byRule = ruleId.values
    .map(
      (value, code) =>
        ({ kind: 'rule', value: value!, severity: null, total: rules.total[code]!, open: rules.open[code]! }) as const,
    )
    .filter(isPresent)
    .sort((one, other) => other.open - one.open || other.total - one.total || compareBytes(one.value, other.value));
  const byAge = [...bands].flatMap((open, index) =>
    open === 0
      ? []
      : [
          {
            kind: 'age',
            value: String(Math.floor(index / severityCount)),
            severity: index % severityCount,
            open,
            total: 0,
          } as const,
        ],
  );
  return {
    counts: [...byDataSource, ...byCell].filter(isPresent),
    rulesAndAges: [...byAge, ...byRule.slice(0, maxRules)],
  };
}
