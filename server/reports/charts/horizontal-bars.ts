import type { EChartsOption } from 'echarts';
import type { Wording } from '../sentences/wording.ts';
import { above, axisLine, base, drawn, figureText, still, text } from './look.ts';
import { textWidth } from './text-width.ts';

export type Bar = { name: string; value: number; color: string };

const rowHeight = 27;
const margin = 4;
const gap = 10;

/** Returns the height of a chart with this many rows. */
export const barsHeight = (rows: number): number => rows * rowHeight + 2 * margin;

/** Returns the width of the longest of these names or figures, with the gap to the bars. */
const roomFor = (names: string[]): number => Math.ceil(Math.max(...names.map((name) => textWidth(name, 12)))) + gap;

/** Returns the position and width of the plot between names and figures. */
export function plotOf(names: string[], figures: number[], width: number, { number }: Wording) {
  const left = roomFor(names);
  const right = roomFor(figures.map(number));
  return { grid: { left, right, top: margin, bottom: margin }, plotWidth: width - left - right };
}

/** Returns the axis of names, left of the bars, the first on top. */
export const nameAxis = (names: string[]) =>
  ({
    ...above,
    type: 'category',
    inverse: true,
    data: names,
    axisLine,
    axisTick: { show: false },
    axisLabel: { ...text, margin: gap, interval: 0 },
  }) as const;

/** Returns a bar chart with names on the left and figures on the right, so that it needs no other axis. */
export function horizontalBars(bars: Bar[], width: number, words: Wording): EChartsOption {
  const names = bars.map(({ name }) => name);
  const values = bars.map(({ value }) => value);
  const { grid, plotWidth } = plotOf(names, values, width, words);
  const largest = Math.max(...values);
  return {
    ...base,
    grid,
    xAxis: { type: 'value', show: false, min: 0, max: largest },
    yAxis: nameAxis(names),
    series: [
      {
        ...still,
        type: 'bar',
        barWidth: 14,
        data: bars.map(({ value, color }) => ({
          value: drawn(value, largest, plotWidth),
          itemStyle: { color, borderRadius: [0, 2, 2, 0] },
        })),
        label: {
          ...figureText,
          show: true,
          position: 'right',
          formatter: ({ dataIndex }) => words.number(values[dataIndex]!),
        },
      },
    ],
  };
}
