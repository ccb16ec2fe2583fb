import { type Comparison, type KeyFigureName, type KeyFigures, keyFigureNames } from '../analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { criticalAndHigh } from './tallies.ts';

/** The parts of a head that the figures are computed from. The others come from the snapshot. */
type Counted = Pick<ReportHead, 'open' | 'open_by_severity' | 'unassigned_open' | 'accepted_risks'>;
type Measured = { overdue: number | null; medianDaysToFix: number | null };

/** More than one day is rounded to whole days. */
const rounded = (days: number | null) =>
  days === null ? null : days < 1 ? Math.round(days * 10) / 10 : Math.round(days);

const valuesOf = (head: Counted, { overdue, medianDaysToFix }: Measured): Record<KeyFigureName, number | null> => ({
  open: head.open,
  open_critical_high: criticalAndHigh(head.open_by_severity),
  overdue,
  unassigned_critical_high: criticalAndHigh(head.unassigned_open),
  median_days_to_fix: rounded(medianDaysToFix),
  accepted_ending_soon: head.accepted_risks.ending_soon,
});

/** Returns the values of an earlier report. Reports of earlier versions lack some of them. */
function earlierValues(earlier: ReportHead): Record<KeyFigureName, number | null> {
  const known = earlier.analysis?.key_figures;
  return valuesOf(earlier, {
    overdue: known?.overdue.value ?? null,
    medianDaysToFix: known?.median_days_to_fix.value ?? null,
  });
}

/** Returns the figures with their change since the earlier report. */
export function keyFigures(head: Counted, measured: Measured, earlier: ReportHead | undefined): KeyFigures {
  const values = valuesOf(head, measured);
  const before = earlier && earlierValues(earlier);
  const change = (name: KeyFigureName) => {
    const [value, old] = [values[name], before?.[name] ?? null];
    return value === null || old === null ? null : Math.round((value - old) * 10) / 10;
  };
  return Object.fromEntries(
    keyFigureNames.map((name) => [name, { value: values[name], change: change(name) }]),
  ) as KeyFigures;
}

/** Returns the report that the figures are compared with. */
export function comparisonWith(earlier: ReportHead | undefined, filters: ReportHead['filters']): Comparison | null {
  if (!earlier) return null;
  return {
    report: { id: earlier.id, title: earlier.title },
    taken_at: earlier.taken_at,
    same_filters: textOf(earlier.filters) === textOf(filters),
  };
}

/** Serializes the filters in a fixed order: the database may return them in another. */
const textOf = (filters: ReportHead['filters']) =>
  JSON.stringify(
    Object.entries(filters)
      .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
