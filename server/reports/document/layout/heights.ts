import type { Block as MarkdownBlock } from '../../markdown.ts';
import { type Block, type Inline, lettersOf, type ParagraphStyle, type Table } from '../blocks.ts';

export type Paper = 'a4' | 'letter';

/** The size of a page's text area, in points: report.typ sets the margins. */
const room = { a4: { width: 499, height: 745 }, letter: { width: 516, height: 695 } } as const;

/** The width of a letter as a fraction of the font size, including the unused end of a line. */
const sansWidth = 0.57;
const monoWidth = 0.63;
/** The line pitch in paragraphs and in dense tables, as a fraction of the font size. */
const bodyPitch = 1.32;
const densePitch = 1.26;
const millimetre = 72 / 25.4;
/** A heading never ends a page, and neither does a table's first row, so some of each page stays empty. */
const filled = 0.965;

/** Letters of scripts without spaces are twice as wide. */
const wide = /[\u1100-\u{10FFFF}]/gu;
const lettersIn = (line: string) => line.length + (line.match(wide)?.length ?? 0);

const linesIn = (text: string, size: number, width: number, letter = sansWidth): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil((lettersIn(line) * letter * size) / width)), 0);

const paragraphs: Record<ParagraphStyle, { size: number; pitch: number; space: number }> = {
  lead: { size: 12.5, pitch: bodyPitch, space: 9 },
  body: { size: 9.5, pitch: bodyPitch, space: 9 },
  note: { size: 8.1, pitch: 1.45, space: 9 },
  small: { size: 8.5, pitch: 1.4, space: 9 },
  card: { size: 7.5, pitch: 1.22, space: 3.6 },
};

/** Headings with the space around them. */
const headings = { 1: 60, 2: 44, 3: 22 } as const;

const isMono = (cell: Inline[]) => cell.some(({ kind }) => kind === 'code');

function tableHeight({ columns, rows, dense, tight, caption }: Table, width: number): number {
  const size = dense ? 7 : 8.5;
  const [across, down] = tight ? [6, 3.8] : dense ? [8, 6.8] : [12, 10];
  const shares = columns.reduce((sum, { width: own }) => sum + ('share' in own ? own.share : 0), 0);
  const taken = columns.reduce((sum, { width: own }) => sum + ('mm' in own ? own.mm * millimetre : 0), 0);
  const widths = columns.map(({ width: own }) =>
    Math.max(20, ('mm' in own ? own.mm * millimetre : ((width - taken) * own.share) / shares) - across),
  );
  const pitch = size * (dense ? densePitch : bodyPitch);
  const linesOf = (cells: Inline[][]) =>
    cells.map((cell, index) => linesIn(lettersOf(cell), size, widths[index]!, isMono(cell) ? 0.6 : sansWidth));
  // The first line has the height of capitals; the rows of places are often taller than estimated.
  const first = tight ? pitch : 0.75 * size;
  const rowHeight = (cells: Inline[][]) => down + first + pitch * (Math.max(...linesOf(cells)) - 1);
  const header = rowHeight(columns.map(({ label }) => [{ kind: 'text', text: label }]));
  const around = caption === null ? 9 : 44;
  // The height that blocks.typ gives to rows whose lines are known.
  const known = (lines: number) => (lines - 1) * 1.25 * size + 0.75 * size + 4.65;
  const body = rows.reduce((sum, { cells, lines }) => sum + (lines ? known(lines) : rowHeight(cells)), 0);
  return around + header + body;
}

function markdownHeight(block: MarkdownBlock, width: number): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return linesIn(lettersOf(block.inlines), 9.5, width) * 12.5 + 9;
    case 'code':
      return linesIn(block.text, 7.5, width, monoWidth) * 7.5 * bodyPitch + 21;
    case 'quote':
      return block.blocks.reduce((sum, part) => sum + markdownHeight(part, width - 8), 9);
    case 'list':
      return block.items.flat().reduce((sum, part) => sum + markdownHeight(part, width - 13), 9);
  }
}

/** Estimates the height of a block in points, slightly too high. */
export function heightOf(block: Block, paper: Paper): number {
  const { width } = room[paper];
  switch (block.kind) {
    case 'heading':
      return headings[block.level];
    case 'paragraph': {
      const { size, pitch, space } = paragraphs[block.style];
      return linesIn((block.label ?? '') + lettersOf(block.inlines), size, width) * size * pitch + space;
    }
    case 'list':
      return block.items.reduce((sum, item) => sum + linesIn(lettersOf(item), 9.5, width - 13) * 12.5 + 9, 0);
    case 'key_figures':
      return 28 + Math.ceil(block.figures.length / 3) * 74;
    case 'facts':
      return block.facts.reduce((sum, { inlines }) => sum + linesIn(lettersOf(inlines), 8.5, width - 65) * 12, 9);
    case 'table':
      return tableHeight(block, width);
    case 'charts':
      return 50 + Math.max(...block.charts.map(({ height }) => height * 0.735));
    case 'markdown':
      return block.blocks.reduce((sum, part) => sum + markdownHeight(part, width), block.label ? 12 : 0);
    case 'evidence':
      return block.dense
        ? linesIn(block.text, 6.5, width, monoWidth) * 6.5 * bodyPitch + 15
        : linesIn(block.text, 7.5, width, monoWidth) * 7.5 * bodyPitch + 21;
    case 'comment':
      return linesIn(block.text, 9.5, width - 8) * 12.5 + 24;
    case 'together':
      return block.blocks.reduce((sum, part) => sum + heightOf(part, paper), 6);
  }
}

const beginsPage = (block: Block): boolean =>
  (block.kind === 'heading' && block.newPage === true) || (block.kind === 'together' && block.blocks.some(beginsPage));

/** Estimates the number of pages of blocks. */
export function pagesOf(blocks: Block[], paper: Paper): number {
  let pages = 0;
  let height = 0;
  for (const block of blocks) {
    if (beginsPage(block)) {
      pages += Math.ceil(height);
      height = 0;
    }
    height += heightOf(block, paper) / (room[paper].height * filled);
  }
  return pages + Math.ceil(height);
}

/** Returns the height that text can use on this many pages. */
export const usable = (pages: number, paper: Paper): number => pages * room[paper].height * filled;
