import { paragraph } from './paragraph.ts';
import type { References } from './references.ts';
import { field, run } from './run.ts';
import type { Xml } from './xml.ts';

/** A caption that Word numbers; of a table it stands above it, of a figure below. */
export function caption(sequence: 'Figure' | 'Table', text: string, references: References): Xml {
  const number = field(`SEQ ${sequence} \\* ARABIC`, run(String(references.next(sequence)), { bold: true }));
  const runs = run(`${sequence} `, { bold: true }) + number + run(`. ${text}`);
  return paragraph('Caption', runs, sequence === 'Table' ? { keepNext: true, before: 240 } : {});
}
