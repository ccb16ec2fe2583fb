import type { EChartsOption } from 'echarts';
import { count, formatNumber, share } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { barsHeight, nameAxis, plotOf } from './horizontal-bars.ts';
import { base, fullWidth, text } from './look.ts';
import { inWords, longestOf, type Stack, severityLegend, stackedSeries, sumOf } from './stacked.ts';
import { fittedName } from './text-width.ts';

const legendHeight = 26;
const nameWidth = 200;

const stacksOf = (head: ReportHead): Stack[] =>
  head.top_data_sources.map(({ name, open_by_severity: figures }) => ({
    name: fittedName(name, text.fontSize, nameWidth),
    figures,
  }));

/** Draws the data sources with the most open findings: a bar for each, stacked by severity. */
function dataSourceOptions(head: ReportHead): EChartsOption {
  const stacks = stacksOf(head);
  // Names may be equal; rows are identified by their index.
  const names = stacks.map(({ name }) => name);
  const { grid, plotWidth } = plotOf(
    names,
    stacks.map(({ figures }) => sumOf(figures)),
    fullWidth,
  );
  return {
    ...base,
    legend: severityLegend(stacks),
    grid: { ...grid, top: grid.top + legendHeight },
    xAxis: { type: 'value', show: false, min: 0, max: longestOf(stacks, plotWidth) },
    yAxis: nameAxis(names),
    series: stackedSeries(stacks, { direction: 'across', room: plotWidth, thickness: 16 }),
  };
}

export function drawDataSources(head: ReportHead): Chart | null {
  const stacks = stacksOf(head);
  if (stacks.length === 0) return null;
  const height = barsHeight(stacks.length) + legendHeight;
  const open = stacks.reduce((sum, { figures }) => sum + sumOf(figures), 0);
  const part = `${formatNumber(open)} of ${formatNumber(head.open)} open findings (${share(open, head.open)})`;
  const figures = stacks.map((stack) => `${stack.name} ${formatNumber(sumOf(stack.figures))} (${inWords(stack)})`);
  return {
    id: 'data_sources',
    caption:
      open < head.open
        ? `Data sources with the most open findings: these ${stacks.length} have ${part}.`
        : 'Open findings by data source and severity.',
    alternative: `Bar chart of open findings in ${count(stacks.length, 'data source')}, with severities: ${figures.join('; ')}.`,
    svg: drawSvg(dataSourceOptions(head), fullWidth, height),
    width: fullWidth,
    height,
  };
}
