import { formatNumber, inkColor } from '../labels.ts';
import { base, hiddenAxis, mutedText, still, text } from './look.ts';
import { textWidth } from './text-width.ts';

export type Bar = { name: string; value: number; color: string };

const rowHeight = 28;
const margin = 4;

/** How high a chart of so many rows is. */
export const barsHeight = (rows: number): number => rows * rowHeight + 2 * margin;

/** Room for the longest of these names before an axis, in the width of the chart's letters. */
export const nameRoom = (names: string[]): number =>
  Math.ceil(Math.max(...names.map((name) => textWidth(name, 12)))) + 10;

/** Bars with their names before and their figures behind them, so that they need no value axis. */
export const horizontalBars = (bars: Bar[]) => ({
  ...base,
  grid: {
    left: nameRoom(bars.map(({ name }) => name)),
    right: nameRoom(bars.map(({ value }) => formatNumber(value))),
    top: margin,
    bottom: margin,
  },
  xAxis: hiddenAxis,
  yAxis: {
    type: 'category',
    inverse: true,
    data: bars.map(({ name }) => name),
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { ...text, margin: 10 },
  },
  series: [
    {
      ...still,
      type: 'bar',
      barWidth: 14,
      data: bars.map(({ value, color }) => ({ value, itemStyle: { color, borderRadius: [0, 2, 2, 0] } })),
      label: {
        ...mutedText,
        color: inkColor,
        show: true,
        position: 'right',
        formatter: ({ value }: { value: number }) => formatNumber(value),
      },
    },
  ],
});
