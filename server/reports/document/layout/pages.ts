import { type Block, type Inline, lettersOf, type Row } from '../blocks.ts';

/** Parts with more letters could be taller than a page and would be cut off if they must not break. */
const maxLetters = 1_800;
const maxTogether = 12;

const lettersIn = (block: Block): number => {
  switch (block.kind) {
    case 'heading':
      return block.text.length;
    case 'paragraph':
      return lettersOf(block.inlines).length;
    case 'facts':
      return block.facts.reduce((sum, { inlines }) => sum + Math.max(60, lettersOf(inlines).length), 0);
    case 'table':
      return block.rows.length * 100;
    case 'together':
      return block.blocks.reduce((sum, part) => sum + lettersIn(part), 0);
    default:
      return JSON.stringify(block).length;
  }
};

/** Returns whether parts are certainly shorter than a page. */
export const isShort = (blocks: Block[]): boolean =>
  blocks.reduce((sum, block) => sum + lettersIn(block), 0) <= maxLetters;

const longestCell = (rows: Row[]): number =>
  rows.reduce((longest, { cells }) => Math.max(longest, ...cells.map((cell: Inline[]) => lettersOf(cell).length)), 0);

/**
 * Returns how a table may break: `whole` if it stays on one page; otherwise, how many of its first and last rows stay
 * together (a total keeps two rows with it). A row breaks only if it could be taller than a page.
 */
export function rowsKeptTogether(rows: Row[]): { whole: boolean; 'tall-rows': boolean; first: number; last: number } {
  const longest = longestCell(rows);
  const last = rows.at(-1)?.total ? 3 : 2;
  const whole = rows.length <= maxTogether && longest * rows.length <= maxLetters;
  return { whole, 'tall-rows': longest > 700, first: 2, last: Math.min(last, Math.max(0, rows.length - 2)) };
}
