import type { EChartsOption } from 'echarts';
import { count, formatNumber, share } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { above, axisLine, base, fullWidth, text } from './look.ts';
import { inWords, longestOf, type Stack, severityLegend, stackedSeries, sumOf } from './stacked.ts';

const height = 220;
const grid = { left: 0, right: 0, top: 44, bottom: 26 };
const room = height - grid.top - grid.bottom;
const old = 90;

/** Returns the ages of open findings, youngest first. */
const agesOf = (head: ReportHead): Stack[] =>
  head.age.map(({ up_to_days: bound, by_severity: figures }, index) => {
    const from = head.age[index - 1]?.up_to_days;
    const name =
      from === undefined || from === null
        ? `Up to ${bound} days`
        : bound === null
          ? `Over ${from} days`
          : `${from} to ${bound} days`;
    return { name, figures };
  });

/** Draws open findings by age since they were first seen: a column for each age, stacked by severity. */
function ageOptions(head: ReportHead): EChartsOption {
  const ages = agesOf(head);
  return {
    ...base,
    legend: severityLegend(ages),
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
    series: stackedSeries(ages, { direction: 'up', room, thickness: 56 }),
  };
}

export function drawAge(head: ReportHead): Chart | null {
  const ages = agesOf(head);
  const open = ages.reduce((sum, { figures }) => sum + sumOf(figures), 0);
  if (open === 0) return null;
  const older = head.age
    .filter((_, index) => (head.age[index - 1]?.up_to_days ?? 0) >= old)
    .reduce((sum, { by_severity: figures }) => sum + sumOf(figures), 0);
  const figures = ages.map((age) => {
    const sum = sumOf(age.figures);
    return sum === 0 ? `${age.name} none` : `${age.name} ${formatNumber(sum)} (${inWords(age)})`;
  });
  return {
    id: 'age',
    caption: `Open findings by age and severity: ${
      older === 0
        ? `none was first seen more than ${old} days ago`
        : `${formatNumber(older)} of ${formatNumber(open)} (${share(older, open)}) ${older === 1 ? 'was' : 'were'} first seen more than ${old} days ago`
    }.`,
    alternative: `Column chart of ${count(open, 'open finding')} by age since first seen, with severities: ${figures.join('; ')}.`,
    svg: drawSvg(ageOptions(head), fullWidth, height),
    width: fullWidth,
    height,
  };
}
