import type { Block, Row, Table } from '../../document/blocks.ts';

/** In points: the height of a page's text, as report.typ sets it. */
const pageHeights = { a4: 745, letter: 695 };
/** A caption with the space around it, and the header of a table, in points. */
const captionHeight = 30;
const headerHeight = 12;
const fontSize = 7;
/** Shorter tables stay where they are. */
const minRows = 150;
/** No page has fewer rows. */
const fewRows = 3;

/** As blocks.typ sets rows whose lines are known. */
const heightOf = ({ lines = 1 }: Row): number => (lines - 1) * 1.25 * fontSize + 0.75 * fontSize + 4.6;

/** A block; `newPage` begins a page with it. */
type Placed = { block: Block; newPage: boolean };

/**
 * Returns the blocks with a long table divided into one for each page, if the lines of its rows are known. They look like
 * one table. Typst's time for a row grows with its table, and it lays out what is between page breaks on all processors:
 * 800 rows take half of the processor time.
 */
export function withPageTables(blocks: Block[], paper: 'a4' | 'letter'): Placed[] {
  return blocks.flatMap((block, index): Placed[] => {
    const before = blocks[index - 1]?.kind;
    // A heading or a text before the table stays with it.
    const isLong = block.kind === 'table' && block.tight && block.rows.length >= minRows && before === 'table';
    if (!isLong || !block.rows.every(({ lines }) => lines)) return [{ block, newPage: false }];
    return pagesOf(block, pageHeights[paper]).map((table) => ({ block: table, newPage: true }));
  });
}

function pagesOf(table: Table, pageHeight: number): Table[] {
  const pages: Row[][] = [[]];
  let left = pageHeight - captionHeight - headerHeight;
  for (const row of table.rows) {
    const height = heightOf(row);
    if (height > left) {
      pages.push([]);
      left = pageHeight - headerHeight;
    }
    pages.at(-1)!.push(row);
    left -= height;
  }
  const last = pages.at(-1)!;
  if (last.length < fewRows) last.unshift(...pages.at(-2)!.splice(last.length - fewRows));
  return pages.map((rows, index) => (index === 0 ? { ...table, rows } : { ...table, rows, caption: null }));
}
