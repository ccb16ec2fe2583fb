import { type Severity, severities } from '../../findings/severity.ts';
import { formatNumber, inkColor, severityColors, severityNames } from '../labels.ts';
import { mutedText, still, text } from './look.ts';

export type Stack = { name: string; figures: Record<Severity, number> };
type Parameters = { value: number; dataIndex: number };

export const total = (figures: Record<Severity, number>): number =>
  severities.reduce((sum, severity) => sum + figures[severity], 0);

/** The severities that occur at all, the gravest first. */
export const shownSeverities = (stacks: Stack[]): Severity[] =>
  severities.filter((severity) => stacks.some(({ figures }) => figures[severity] > 0));

/**
 * A series for each severity, stacked from the gravest on, parted by white, with its figure where there is room for
 * it; and one without a bar that carries the totals.
 */
export function stackedSeries(stacks: Stack[], direction: 'across' | 'up', roomPerFinding: number, thickness: number) {
  const shown = shownSeverities(stacks);
  const parts = shown.map((severity) => ({
    ...still,
    name: severityNames[severity],
    type: 'bar',
    stack: 'open',
    barWidth: thickness,
    itemStyle: { color: severityColors[severity], borderColor: '#ffffff', borderWidth: 1 },
    label: {
      ...text,
      show: true,
      fontSize: 10,
      color: '#ffffff',
      formatter: ({ value }: Parameters) => (fits(value, roomPerFinding, direction) ? formatNumber(value) : ''),
    },
    data: stacks.map(({ figures }) => figures[severity]),
  }));
  const totals = {
    ...still,
    type: 'bar',
    stack: 'open',
    barWidth: thickness,
    data: stacks.map(() => 0),
    label: {
      ...mutedText,
      color: inkColor,
      show: true,
      position: direction === 'across' ? 'right' : 'top',
      formatter: ({ dataIndex }: Parameters) => {
        const sum = total(stacks[dataIndex]!.figures);
        return sum === 0 ? '' : formatNumber(sum);
      },
    },
  };
  return [...parts, totals];
}

const fits = (value: number, roomPerFinding: number, direction: 'across' | 'up') =>
  value > 0 && value * roomPerFinding >= (direction === 'across' ? formatNumber(value).length * 6.5 + 6 : 14);
