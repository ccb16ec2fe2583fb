import { accentColor, inkColor, mutedColor, ruleColor } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';

/** The color of bars without a severity: that of the report's headings. */
export const accentOf = ({ document }: ReportHead): string => document.accent_color ?? accentColor;

const paleShare = 0.6;

/** Returns a color mixed with white. */
export const pale = (color: string): string =>
  `#${[1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    .map((part) =>
      Math.round(part + (255 - part) * paleShare)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** The full width of the text, and half of it without the gap. */
export const fullWidth = 640;
export const halfWidth = 310;

const fontFamily = 'Assay Sans, Inter, sans-serif';
export const text = { fontFamily, fontSize: 12, color: inkColor };
export const figureText = { fontFamily, fontSize: 11, color: inkColor };
export const mutedText = { fontFamily, fontSize: 11, color: mutedColor };

/** The options of all charts: no animation, and their font. */
export const base = { animation: false, backgroundColor: 'transparent', textStyle: text } as const;

export const axisLine = { show: true, lineStyle: { color: '#b9c0cb', width: 1 } } as const;
export const gridLine = { show: true, lineStyle: { color: ruleColor, width: 1 } } as const;

/** Draws axis lines above bars, whose white borders would interrupt them. */
export const above = { z: 3 } as const;

/** A series that does not react to the pointer. */
export const still = { emphasis: { disabled: true } } as const;

/** The minimum size of a non-zero value, in units of the chart, so that it is visible. */
const minDrawn = 3;

/** Returns the value to draw for a value, if the largest fills `room`. */
export const drawn = (value: number, largest: number, room: number): number =>
  value === 0 ? 0 : Math.max(value, (minDrawn * largest) / room);
