import { inkColor, mutedColor, ruleColor } from '../labels.ts';

/** The whole width of the text, and half of it less the gap. */
export const fullWidth = 640;
export const halfWidth = 310;

const fontFamily = 'Assay Sans, Inter, sans-serif';
export const text = { fontFamily, fontSize: 12, color: inkColor };
export const figureText = { fontFamily, fontSize: 11, color: inkColor };
export const mutedText = { fontFamily, fontSize: 11, color: mutedColor };

/** What all charts share: no motion, and their own letters. */
export const base = { animation: false, backgroundColor: 'transparent', textStyle: text } as const;

export const axisLine = { show: true, lineStyle: { color: '#b9c0cb', width: 1 } } as const;
export const gridLine = { show: true, lineStyle: { color: ruleColor, width: 1 } } as const;

/** Lines of axes over bars, whose white edges would break them. */
export const above = { z: 3 } as const;

/** A series that does not answer the pointer. */
export const still = { emphasis: { disabled: true } } as const;

/** What is there is seen, however little of the whole it is: so many units of the chart at least. */
const leastSeen = 3;

/** The value to draw for this one, where the largest fills so much room. */
export const drawn = (value: number, largest: number, room: number): number =>
  value === 0 ? 0 : Math.max(value, (leastSeen * largest) / room);
