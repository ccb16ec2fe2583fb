import type { EChartsOption } from 'echarts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { above, axisLine, base, fullWidth, text } from './look.ts';
import { inWords, longestOf, type Stack, severityLegend, stackedSeries, sumOf } from './stacked.ts';

const height = 220;
const grid = { left: 0, right: 0, top: 44, bottom: 26 };
const room = height - grid.top - grid.bottom;
const old = 90;

/** Returns the ages of open findings, youngest first. */
const agesOf = (head: ReportHead, { say }: Wording): Stack[] =>
  head.age.map(({ up_to_days: to, by_severity: figures }, index) => {
    const from = head.age[index - 1]?.up_to_days ?? null;
    if (to === null) return { name: say('chart.age_over', { from: from ?? 0 }), figures };
    return { name: from === null ? say('chart.age_up_to', { to }) : say('chart.age_between', { from, to }), figures };
  });

/** Draws open findings by age since the first sighting: a column per age, stacked by severity. */
function ageOptions(ages: Stack[], words: Wording): EChartsOption {
  return {
    ...base,
    legend: severityLegend(ages, words),
    grid,
    xAxis: {
      ...above,
      type: 'category',
      data: ages.map(({ name }) => name),
      axisLine,
      axisTick: { show: false },
      axisLabel: { ...text, margin: 9, interval: 0 },
    },
    yAxis: { type: 'value', show: false, min: 0, max: longestOf(ages, room) },
    series: stackedSeries(ages, { direction: 'up', room, thickness: 56 }, words),
  };
}

export function drawAge(head: ReportHead): Chart | null {
  const words = wordingOf(head);
  const { say } = words;
  const ages = agesOf(head, words);
  const open = ages.reduce((sum, { figures }) => sum + sumOf(figures), 0);
  if (open === 0) return null;
  const older = head.age
    .filter((_, index) => (head.age[index - 1]?.up_to_days ?? 0) >= old)
    .reduce((sum, { by_severity: figures }) => sum + sumOf(figures), 0);
  const figures = ages.map((age) => {
    const n = sumOf(age.figures);
    const { name } = age;
    return n === 0
      ? say('chart.figure_none', { name })
      : say('chart.figure_parts', { name, n, parts: inWords(age, words) });
  });
  const values = { n: older, open, share: words.share(older, open), days: old };
  return {
    id: 'age',
    caption: older === 0 ? say('chart.age_none', values) : say('chart.age', values),
    alternative: say('chart.age_alternative', { n: open, figures: figures.join('; ') }),
    svg: drawSvg(ageOptions(ages, words), fullWidth, height),
    width: fullWidth,
    height,
  };
}
