import { severities } from '@assay/scanner/contract/severity.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import { Sums } from '../columns/sums.ts';
import type { FindingFilters } from '../filters/table.ts';
import { isOpen, type Status } from '../lifecycle.ts';
import { type Allowed, compareBytes, termsOf } from './questions.ts';

type Counted = { total: number; open: number };
/** The findings of a data source (the other fields are null), or those of a source, severity (its rank) and status. */
export type CountRow = Counted &
  (
    | { dataSourceId: string; source: null; severity: null; status: null }
    | { dataSourceId: null; source: string; severity: number; status: Status }
  );
/** The findings of a rule, or the open findings of a severity (its rank) in an age band (its index). */
export type RuleOrAge =
  | (Counted & { kind: 'rule'; value: string; severity: null })
  | (Counted & { kind: 'age'; value: string; severity: number });

/**
 * `ages` are the upper bounds of all age bands except the last, in microseconds; `now` is in microseconds since the
 * epoch.
 */
export type SummaryQuestion = Allowed & { now: number; ages: readonly number[]; maxRules: number };

const isPresent = ({ total }: Counted) => total > 0;

/** Counts the matching findings by the dimensions of a summary. */
export function summarize(
  columns: FindingColumns,
  given: FindingFilters,
  { now, ages, maxRules, ...allowed }: SummaryQuestion,
): { counts: CountRow[]; rulesAndAges: RuleOrAge[] } {
  const sums = columns.sum(
    termsOf(given, allowed),
    ages.map((age) => now - age),
  );
  const { dataSourceId, source, status, ruleId } = columns.texts;
  const none = { source: null, severity: null, status: null };
  const counted = ({ total, open }: Sums['rules'], code: number) => ({
    total: total[code] ?? 0,
    open: open[code] ?? 0,
  });
  const byDataSource = dataSourceId
    .values()
    .map((id, code): CountRow => ({ dataSourceId: id!, ...none, ...counted(sums.dataSources, code) }));
  const states = status.values();
  const byCell = source.values().flatMap((name, code) =>
    severities.flatMap((_, severity) =>
      states.map((value, state): CountRow => {
        const total = sums.cells[Sums.cellOf(code, severity, state)] ?? 0;
        const open = isOpen(value as Status) ? total : 0;
        return { dataSourceId: null, source: name!, severity, status: value as Status, total, open };
      }),
    ),
  );
  const byRule = ruleId
    .values()
    .map((value, code) => ({ kind: 'rule', value: value!, severity: null, ...counted(sums.rules, code) }) as const)
    .filter(isPresent);
  const byAge = [...sums.bands].flatMap((open, place): RuleOrAge[] => {
    const band = Math.floor(place / severities.length);
    return open === 0
      ? []
      : [{ kind: 'age', value: String(band), severity: place % severities.length, open, total: 0 }];
  });
  return {
    counts: [...byDataSource, ...byCell].filter(isPresent),
    rulesAndAges: [...byAge, ...first(byRule, maxRules)],
  };
}

/** Returns the rules with the most open findings; only candidates for them are sorted. */
function first<Rule extends Counted & { value: string }>(rules: Rule[], limit: number): Rule[] {
  const open = Uint32Array.from(rules, (rule) => rule.open).sort();
  const least = open.at(-limit) ?? 0;
  return rules
    .filter((rule) => rule.open >= least)
    .sort((rule, other) => other.open - rule.open || other.total - rule.total || compareBytes(rule.value, other.value))
    .slice(0, limit);
}
