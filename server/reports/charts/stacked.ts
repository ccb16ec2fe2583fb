import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import type { BarSeriesOption, LegendComponentOption } from 'echarts';
import { severityFills } from '../labels.ts';
import type { Wording } from '../sentences/wording.ts';
import { drawn, figureText, mutedText, still } from './look.ts';

export type Stack = { name: string; figures: Record<Severity, number> };

/** The direction of the bars, the length of the largest, and their thickness. */
export type Shape = { direction: 'across' | 'up'; room: number; thickness: number };

export const sumOf = (figures: Record<Severity, number>): number =>
  severities.reduce((sum, severity) => sum + figures[severity], 0);

const largestOf = (stacks: Stack[]): number => Math.max(...stacks.map(({ figures }) => sumOf(figures)));

/** Returns the drawn length of the longest bar, in findings: small values take more space than their share. */
export const longestOf = (stacks: Stack[], room: number): number => {
  const largest = largestOf(stacks);
  const lengths = stacks.map(({ figures }) =>
    severities.reduce((sum, severity) => sum + drawn(figures[severity], largest, room), 0),
  );
  return Math.max(...lengths);
};

/** Printed in gray, these are as dark as two others: stripes and dots distinguish them. */
const decals: Partial<Record<Severity, object>> = {
  low: { symbol: 'rect', color: '#ffffff47', dashArrayX: [1, 0], dashArrayY: [1.2, 3.6], rotation: -Math.PI / 4 },
  info: {
    symbol: 'circle',
    color: '#ffffff8c',
    dashArrayX: [
      [4, 4],
      [0, 4, 4, 0],
    ],
    dashArrayY: [4, 0],
    symbolSize: 0.5,
  },
};

/** Returns the severities that occur, most severe first. */
const shownSeverities = (stacks: Stack[]) =>
  severities.filter((severity) => stacks.some(({ figures }) => figures[severity] > 0));

/** Returns the legend of the severities, in the order of the stacks. */
export const severityLegend = (stacks: Stack[], { severity }: Wording): LegendComponentOption => ({
  data: shownSeverities(stacks).map(severity),
  left: 0,
  top: 0,
  padding: 0,
  itemGap: 14,
  itemWidth: 10,
  itemHeight: 10,
  icon: 'roundRect',
  selectedMode: false,
  itemStyle: { borderWidth: 0 },
  textStyle: mutedText,
});

/**
 * Returns a series for each severity, stacked from the most severe and separated by white, with its figure where there
 * is space, and an invisible series with the sums.
 */
export function stackedSeries(stacks: Stack[], shape: Shape, { number, severity: nameOf }: Wording): BarSeriesOption[] {
  const largest = largestOf(stacks);
  const common = { ...still, type: 'bar', stack: 'open', barWidth: shape.thickness } as const;
  const parts = shownSeverities(stacks).map((severity): BarSeriesOption => {
    const { fill, ink } = severityFills[severity];
    const decal = decals[severity];
    const valueAt = (index: number) => stacks[index]!.figures[severity];
    const room = (index: number) => (valueAt(index) / largest) * shape.room;
    return {
      ...common,
      name: nameOf(severity),
      itemStyle: { color: fill, borderColor: '#ffffff', borderWidth: 0.8, ...(decal && { decal }) },
      label: {
        ...figureText,
        show: true,
        fontSize: 10,
        color: ink,
        formatter: ({ dataIndex: index }) =>
          figureIn(valueAt(index) === 0 ? '' : number(valueAt(index)), room(index), shape.direction),
      },
      data: stacks.map((_, index) => drawn(valueAt(index), largest, shape.room)),
    };
  });
  const sumAt = (index: number) => sumOf(stacks[index]!.figures);
  const sums: BarSeriesOption = {
    ...common,
    itemStyle: { color: 'transparent' },
    data: stacks.map(() => 0),
    label: {
      ...figureText,
      show: true,
      position: shape.direction === 'across' ? 'right' : 'top',
      formatter: ({ dataIndex: index }) => (sumAt(index) === 0 ? '' : number(sumAt(index))),
    },
  };
  return [...parts, sums];
}

function figureIn(figure: string, room: number, direction: Shape['direction']): string {
  return room >= (direction === 'across' ? figure.length * 6 + 7 : 14) ? figure : '';
}

/** Returns a stack as `critical 3, high 12`, without severities that have no findings. */
export const inWords = ({ figures }: Stack, { say, severityWord }: Wording): string =>
  severities
    .filter((severity) => figures[severity] > 0)
    .map((severity) => say('chart.figure', { name: severityWord(severity), n: figures[severity] }))
    .join(', ');
