import type { Wording } from '../sentences/wording.ts';
import { type Column, type Inline, text } from './blocks.ts';

/** Returns a column of figures, this many millimeters wide. */
export const figureColumn = (label: string, mm = 20): Column => ({ label, width: { mm }, align: 'right' });

export const figureCells = (values: number[], { number }: Wording): Inline[][] =>
  values.map((value) => [text(number(value))]);
