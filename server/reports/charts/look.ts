import { textFamily } from '../fonts.ts';
import { inkColor, mutedColor, ruleColor } from '../labels.ts';

/** The whole width of the text, and half of it less the gap. */
export const fullWidth = 640;
export const halfWidth = 310;

export const fontFamily = `${textFamily}, sans-serif`;
export const text = { fontFamily, fontSize: 12, color: inkColor };
export const mutedText = { fontFamily, fontSize: 11, color: mutedColor };

/** What all charts share: no motion, and their own letters. */
export const base = { animation: false, backgroundColor: 'transparent', textStyle: text } as const;

/** A value axis that shows nothing: the figures stand at the bars. */
export const hiddenAxis = { type: 'value', show: false, min: 0 } as const;

export const axisLine = { show: true, lineStyle: { color: ruleColor, width: 1 } } as const;

/** A series that does not answer the pointer. */
export const still = { emphasis: { disabled: true } } as const;
