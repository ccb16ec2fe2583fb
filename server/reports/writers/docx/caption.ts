import { paragraph } from './paragraph.ts';
import type { References } from './references.ts';
import { field, run } from './run.ts';
import type { Xml } from './xml.ts';

/** Returns a caption that Word numbers; it is placed above a table or below a figure. */
export function caption(sequence: 'Figure' | 'Table', text: string, references: References): Xml {
  const number = field(`SEQ ${sequence} \\* ARABIC`, run(String(references.next(sequence)), { bold: true }));
  const runs =
    run(`${references.words.say(sequence === 'Table' ? 'caption.table' : 'caption.figure')} `, { bold: true }) +
    number +
    run(`. ${text}`);
  return paragraph('Caption', runs, sequence === 'Table' ? { keepNext: true, before: 240 } : {});
}
