import type { ReportHead } from '../report-model.ts';
import { drawAge } from './age.ts';
import type { Chart } from './chart.ts';
import { drawDataSources } from './data-sources.ts';
import { drawSeverity } from './severity.ts';
import { drawSource } from './source.ts';
import { drawWeekly } from './weekly.ts';

export type { Chart } from './chart.ts';

/** Draws the charts of a report, in their order; charts without data are left out. */
export const drawCharts = (head: ReportHead): Chart[] =>
  [drawSeverity, drawSource, drawWeekly, drawAge, drawDataSources]
    .map((draw) => draw(head))
    .filter((chart) => chart !== null);
