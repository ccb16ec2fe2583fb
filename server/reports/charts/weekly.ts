import type { EChartsOption, GridComponentOption, XAXisComponentOption, YAXisComponentOption } from 'echarts';
import type { ReportHead } from '../report-model.ts';
import { coversAllTimes, coversHistory } from '../selection.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { accentOf, axisLine, base, fullWidth, gridLine, mutedText, still } from './look.ts';
import { textWidth } from './text-width.ts';

const closedColor = '#8a95a4';
const flowHeight = 196;
const openHeight = 124;
const legend = { left: 0, padding: 0, itemGap: 14, itemWidth: 10, itemHeight: 10, selectedMode: false } as const;

/** Returns a label for the first week that starts in each month; the first label and January include the year. */
export function monthLabels(weeks: string[], words: Pick<Wording, 'month'>): string[] {
  const monthOf = weeks.map((week) => week.slice(0, 7));
  let labelled = false;
  return monthOf.map((month, index) => {
    if (index === 0 || month === monthOf[index - 1]) return '';
    const withYear = !labelled || month.endsWith('-01');
    labelled = true;
    const name = words.month(Number(month.slice(5)));
    return withYear ? `${name} ${month.slice(0, 4)}` : name;
  });
}

/** Returns the width of the largest figure of an axis, so that the panels are aligned. */
const figureRoom = (head: ReportHead) =>
  Math.ceil(
    textWidth(
      wordingOf(head).number(Math.max(...head.weekly.flatMap((week) => [week.opened, week.closed, week.open]))),
      11,
    ),
  ) + 10;

const weekAxis = (head: ReportHead, gridIndex: number, labels: string[]): XAXisComponentOption => ({
  type: 'category',
  gridIndex,
  data: head.weekly.map(({ week }) => week),
  axisLine: { ...axisLine, onZero: false, show: false },
  axisTick: { show: false },
  axisLabel: {
    ...mutedText,
    show: labels.length > 0,
    margin: 10,
    interval: (index) => labels[index] !== '',
    formatter: (_, index) => labels[index] ?? '',
  },
});

const countAxis = (gridIndex: number, splitNumber: number, { number }: Wording): YAXisComponentOption => ({
  type: 'value',
  gridIndex,
  minInterval: 1,
  splitNumber,
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: gridLine,
  axisLabel: { ...mutedText, margin: 8, formatter: (value) => number(Math.abs(value)) },
});

/** Draws opened findings upward and closed findings downward, by week; with `line`, the open findings too. */
function weeklyOptions(head: ReportHead, line = coversAllTimes(head)): EChartsOption {
  const words = wordingOf(head);
  const { say } = words;
  const accent = accentOf(head);
  const top = line ? openHeight : 0;
  const left = figureRoom(head);
  const flow: GridComponentOption = { left, right: left, top: top + 26, height: flowHeight - 26 - 26 };
  const open: GridComponentOption = { left, right: left, top: 26, height: openHeight - 26 - 22 };
  const labels = monthLabels(
    head.weekly.map(({ week }) => week),
    words,
  );
  const last = head.weekly.length - 1;
  return {
    ...base,
    legend: [
      { ...legend, top, icon: 'rect', data: [say('chart.opened_up'), say('chart.closed_down')], textStyle: mutedText },
      ...(line
        ? [
            {
              ...legend,
              top: 0,
              icon: 'rect',
              itemHeight: 3,
              data: [say('chart.open_line')],
              textStyle: mutedText,
            },
          ]
        : []),
    ],
    grid: line ? [flow, open] : [flow],
    xAxis: [weekAxis(head, 0, labels), ...(line ? [weekAxis(head, 1, [])] : [])],
    yAxis: [countAxis(0, 4, words), ...(line ? [{ ...countAxis(1, 2, words), min: 0 }] : [])],
    series: [
      {
        ...still,
        name: say('chart.opened_up'),
        type: 'bar',
        stack: 'flow',
        barWidth: 12,
        itemStyle: { color: accent },
        data: head.weekly.map(({ opened }) => opened),
        markLine: {
          silent: true,
          symbol: 'none',
          label: { show: false },
          lineStyle: { ...axisLine.lineStyle, type: 'solid' },
          data: [{ yAxis: 0 }],
        },
      },
      {
        ...still,
        name: say('chart.closed_down'),
        type: 'bar',
        stack: 'flow',
        barWidth: 12,
        itemStyle: { color: closedColor },
        data: head.weekly.map(({ closed }) => -closed),
      },
      ...(line
        ? [
            {
              ...still,
              name: say('chart.open_line'),
              type: 'line' as const,
              xAxisIndex: 1,
              yAxisIndex: 1,
              lineStyle: { color: accent, width: 2 },
              itemStyle: { color: accent },
              areaStyle: { color: accent, opacity: 0.08 },
              symbolSize: 6,
              data: head.weekly.map(({ open: value }, index) => ({
                value,
                symbol: index === last ? 'circle' : 'none',
                label: {
                  ...mutedText,
                  show: index === last,
                  position: 'right' as const,
                  color: accent,
                  formatter: words.number(value),
                },
              })),
            },
          ]
        : []),
    ],
  };
}

export function drawWeekly(head: ReportHead): Chart | null {
  const { weekly } = head;
  const sum = (which: 'opened' | 'closed') => weekly.reduce((total, week) => total + week[which], 0);
  if (!coversHistory(head) || weekly.every((week) => week.opened + week.closed + week.open === 0)) return null;
  const line = coversAllTimes(head);
  const height = flowHeight + (line ? openHeight : 0);
  const { say, day } = wordingOf(head);
  const values = { n: weekly.length, opened: sum('opened'), closed: sum('closed') };
  const weeks = weekly
    .filter((week) => week.opened + week.closed > 0)
    .map((week) => say(line ? 'chart.week_open' : 'chart.week', week));
  const first = weekly[0]!;
  const went = line ? say('chart.weekly_went', { from: first.open, to: weekly.at(-1)!.open }) : '';
  return {
    id: 'weekly',
    caption: say(line ? 'chart.weekly' : 'chart.weekly_among', values),
    alternative: say('chart.weekly_alternative', { ...values, day: day(first.week), went, weeks: weeks.join('; ') }),
    svg: drawSvg(weeklyOptions(head), fullWidth, height),
    width: fullWidth,
    height,
  };
}
