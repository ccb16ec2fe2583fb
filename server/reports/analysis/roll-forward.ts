import { severities, severityName } from '@assay/scanner/contract/severity.ts';
import { type Flows, flows } from '../../findings/counts.ts';
import { type FlowRow, growthOf, isRecorded } from '../../findings/flows/flow-queries.ts';
import { formatTime } from '../../platform/times.ts';
import type { BySeverity, RollForward, RollForwardFigures } from '../analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { coversAllTimes, coversHistory } from '../selection.ts';
import type { Scope } from './head-queries.ts';

const sumOf = (rows: Flows[]): Flows =>
  Object.fromEntries(flows.map((flow) => [flow, rows.reduce((sum, row) => sum + row[flow], 0)])) as Flows;

/** Computes backward from the findings that are open now, using the flows since then. */
function figuresOf(openNow: number, rows: FlowRow[]): RollForwardFigures {
  const sums = sumOf(rows);
  return { open_then: openNow - growthOf(sums), ...sums, open_now: openNow };
}

/** Returns how the open findings changed from the earlier time to now; null if the filters hide the earlier ones. */
export function rollForward(
  { filters }: Scope,
  head: Pick<ReportHead, 'filters' | 'open' | 'open_by_severity'>,
  since: Date,
  rows: FlowRow[],
): RollForward | null {
  if (!coversHistory(head) || !coversAllTimes(head)) return null;
  const open: BySeverity = head.open_by_severity;
  const of = (name: string) => rows.filter(({ severity }) => severityName(severity) === name);
  return {
    since: formatTime(since),
    basis: isRecorded(filters) ? 'at_the_time' : 'selected_now',
    by_severity: Object.fromEntries(
      severities.map((severity) => [severity, figuresOf(open[severity], of(severity))]),
    ) as RollForward['by_severity'],
    total: figuresOf(head.open, rows),
  };
}
