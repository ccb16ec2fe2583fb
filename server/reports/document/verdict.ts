import type { KeyFigureName } from '../analysis/analysis-model.ts';
import { count, formatDay, formatNumber } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import type { KeyFigure } from './blocks.ts';

const has = (value: number) => (value === 1 ? 'is' : 'are');

/** Returns the sentence that says how things stand, before its reasons. */
export function verdict(head: ReportHead): string {
  const { analysis, open_by_severity: open } = head;
  const overdue = analysis?.key_figures.overdue.value ?? 0;
  const severe = open.critical + open.high;
  const reasons = [
    severe > 0 ? `${count(severe, 'critical or high finding')} ${has(severe)} open${changeOf(head)}` : '',
    overdue > 0 ? `${count(overdue, 'finding')} ${has(overdue)} past the due date` : '',
  ].filter((reason) => reason !== '');
  if (head.summary.total === 0) return 'This report has no findings.';
  if (reasons.length === 0)
    return `No critical or high finding is open${overdue === 0 ? ', and nothing is overdue' : ''}.`;
  const urgency = overdue > 0 || open.critical > 0 ? 'Act now' : 'Plan fixes';
  return `${urgency}: ${reasons.join(', and ')}.`;
}

function changeOf({ analysis }: ReportHead): string {
  const change = analysis?.key_figures.open_critical_high.change;
  if (!analysis?.comparison || change === null || change === undefined) return '';
  const day = formatDay(analysis.comparison.taken_at);
  if (change === 0) return `, as many as on ${day}`;
  return `, ${formatNumber(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than on ${day}`;
}

const labels: Record<KeyFigureName, string> = {
  open_critical_high: 'Open, critical or high',
  overdue: 'Overdue',
  unassigned_critical_high: 'Critical or high, nobody assigned',
  median_days_to_fix: 'Median days to fix',
  new_minus_closed: 'New minus closed',
  accepted_ending_soon: 'Accepted risks ending in 30 days',
};

/** Returns the six key figures with their change since the earlier report; none if they were not computed. */
export function sixFigures({ analysis }: ReportHead): KeyFigure[] {
  if (!analysis) return [];
  return (Object.keys(labels) as KeyFigureName[]).map((name) => {
    const { value, change } = analysis.key_figures[name];
    const signed = name === 'new_minus_closed' && value !== null && value > 0 ? '+' : '';
    return {
      label: labels[name],
      value: value === null ? '–' : `${signed}${formatNumber(value)}`,
      note: noteOf(value, change, analysis.comparison !== null),
    };
  });
}

function noteOf(value: number | null, change: number | null, isCompared: boolean): string {
  if (value === null) return 'not known';
  if (!isCompared) return 'no earlier report';
  if (change === null) return 'not known in the earlier report';
  if (change === 0) return 'no change';
  return `${formatNumber(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than before`;
}

/** Says what the changes refer to; empty without an earlier report. */
export function comparisonNote({ analysis }: ReportHead): string {
  const comparison = analysis?.comparison;
  if (!comparison) return '';
  const other = comparison.same_filters
    ? ''
    : ' That report had other filters, so the figures count different findings.';
  return `Changes since the report “${comparison.report.title}” of ${formatDay(comparison.taken_at)}.${other}`;
}
