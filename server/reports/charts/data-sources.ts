import type { EChartsOption } from 'echarts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { barsHeight, nameAxis, plotOf } from './horizontal-bars.ts';
import { base, fullWidth, text } from './look.ts';
import { inWords, longestOf, type Stack, severityLegend, stackedSeries, sumOf } from './stacked.ts';
import { fittedName, nameInSentence } from './text-width.ts';

const legendHeight = 26;
const nameWidth = 200;

const stacksOf = (head: ReportHead): Array<Stack & { said: string }> =>
  head.top_data_sources.map(({ name, open_by_severity: figures }) => ({
    said: nameInSentence(name),
    name: fittedName(name, text.fontSize, nameWidth),
    figures,
  }));

/** Draws the data sources with the most open findings: a bar for each, stacked by severity. */
function dataSourceOptions(stacks: Stack[], words: Wording): EChartsOption {
  // Names may be equal; rows are identified by their index.
  const names = stacks.map(({ name }) => name);
  const { grid, plotWidth } = plotOf(
    names,
    stacks.map(({ figures }) => sumOf(figures)),
    fullWidth,
    words,
  );
  return {
    ...base,
    legend: severityLegend(stacks, words),
    grid: { ...grid, top: grid.top + legendHeight },
    xAxis: { type: 'value', show: false, min: 0, max: longestOf(stacks, plotWidth) },
    yAxis: nameAxis(names),
    series: stackedSeries(stacks, { direction: 'across', room: plotWidth, thickness: 16 }, words),
  };
}

export function drawDataSources(head: ReportHead): Chart | null {
  const stacks = stacksOf(head);
  if (stacks.length === 0) return null;
  const height = barsHeight(stacks.length) + legendHeight;
  const open = stacks.reduce((sum, { figures }) => sum + sumOf(figures), 0);
  const words = wordingOf(head);
  const { say } = words;
  const values = { sources: stacks.length, n: open, open: head.open, share: words.share(open, head.open) };
  const figures = stacks.map((stack) =>
    say('chart.figure_parts', { name: stack.said, n: sumOf(stack.figures), parts: inWords(stack, words) }),
  );
  return {
    id: 'data_sources',
    caption: open < head.open ? say('chart.data_sources_most', values) : say('chart.data_sources'),
    alternative: say('chart.data_sources_alternative', { n: stacks.length, figures: figures.join('; ') }),
    svg: drawSvg(dataSourceOptions(stacks, words), fullWidth, height),
    width: fullWidth,
    height,
  };
}
