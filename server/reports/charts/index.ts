import type { ReportHead } from '../report-model.ts';
import type { Chart } from './chart.ts';
import { drawSeverity } from './severity.ts';

export type { Chart } from './chart.ts';

/** The charts of a report, in the order in which it shows them; those that would show nothing are left out. */
export const drawCharts = (head: ReportHead): Chart[] =>
  [drawSeverity].map((draw) => draw(head)).filter((chart) => chart !== null);
