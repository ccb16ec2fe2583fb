import {
  type Block,
  type DocumentContent,
  type Inline,
  lettersOf,
  type ParagraphStyle,
  type Table,
} from '../../document/blocks.ts';
import { factLines } from '../../document/facts.ts';
import { isShort, rowsKeptTogether } from '../../document/layout/pages.ts';
import type { Block as MarkdownBlock } from '../../markdown.ts';

/** In points: the height of a page's text, and its width. */
const pageHeights = { a4: 708, letter: 658 };
const textWidth = 480;
/** The mean width of a letter of Arial and of Courier New, as a fraction of the size. */
const letterWidth = 0.5;
const codeWidth = 0.6;

/** The size of letters, the height of a line and the space around a paragraph, as styles.ts defines them. */
type Look = { size: number; line: number; around: number };
const looks: Record<ParagraphStyle | 'label' | 'code' | 'tight' | 'dense' | 'table', Look> = {
  lead: { size: 13, line: 18.7, around: 10 },
  body: { size: 10.5, line: 13.3, around: 6 },
  note: { size: 9.5, line: 12, around: 10 },
  small: { size: 9.5, line: 12, around: 3 },
  card: { size: 7.5, line: 10, around: 1.5 },
  label: { size: 10, line: 12.7, around: 9 },
  code: { size: 8.5, line: 10.1, around: 15 },
  tight: { size: 7, line: 8.9, around: 2.5 },
  dense: { size: 8, line: 10.1, around: 3.5 },
  table: { size: 10, line: 12.7, around: 5.5 },
};
const headings = [
  { size: 18, line: 22.8, around: 10 },
  { size: 14, line: 17.7, around: 24 },
  { size: 11.5, line: 14.5, around: 15 },
];
const spacer = 8;
const pointsPerMillimetre = 72 / 25.4;

const linesIn = (text: string, width: number, perLetter: number): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * perLetter) / width)), 0);

const heightOf = (text: string, { size, line, around }: Look, width = textWidth): number =>
  linesIn(text, width, size * letterWidth) * line + around;

const codeHeight = (text: string): number =>
  linesIn(text, textWidth - 12, looks.code.size * codeWidth) * looks.code.line + looks.code.around;

function rowHeights({ columns, rows, dense, tight }: Table): number[] {
  const look = tight ? looks.tight : dense ? looks.dense : looks.table;
  const fixed = columns.map(({ width }) => ('mm' in width ? width.mm * pointsPerMillimetre : 0));
  const left = textWidth - fixed.reduce((sum, width) => sum + width, 0);
  const shares = columns.reduce((sum, { width }) => sum + ('share' in width ? width.share : 0), 0);
  const widths = columns.map(({ width }, index) => ('share' in width ? (left * width.share) / shares : fixed[index]!));
  const rowHeight = (cells: Inline[][]) =>
    Math.max(...cells.map((cell, index) => heightOf(lettersOf(cell), look, widths[index]! - 8)));
  return rows.map(({ cells }) => rowHeight(cells));
}

/** The height of the caption and the header of a table. */
const startOf = ({ caption, dense }: Table): number => (caption === null ? 0 : 12) + (dense ? 14 : 18);

const markdownHeight = (blocks: MarkdownBlock[], width = textWidth): number =>
  blocks.reduce((sum, block) => {
    if (block.kind === 'code') return sum + codeHeight(block.text);
    if (block.kind === 'quote') return sum + markdownHeight(block.blocks, width - 12);
    if (block.kind === 'list')
      return sum + block.items.reduce((items, item) => items + markdownHeight(item, width - 17) - 3, 0);
    return sum + heightOf(lettersOf(block.inlines), looks.body, width);
  }, 0);

function blockHeight(block: Block): number {
  const label = 'label' in block && block.label ? looks.label.line + looks.label.around : 0;
  switch (block.kind) {
    case 'heading':
      return heightOf(block.text, headings[block.level - 1]!);
    case 'paragraph':
      return label + heightOf(lettersOf(block.inlines), looks[block.style]);
    case 'list':
      return block.items.reduce((sum, item) => sum + heightOf(lettersOf(item), looks.body) - 3, 0);
    case 'key_figures':
      return (block.figures.length === 6 ? 2 : 1) * 70;
    case 'facts':
      return factLines(block.facts).reduce(
        (sum, line) => sum + heightOf(lettersOf(line[0]!.inlines), looks.table, 380),
        spacer,
      );
    case 'table':
      return rowHeights(block).reduce((sum, height) => sum + height, startOf(block) + spacer);
    case 'charts':
      return Math.max(...block.charts.map(({ height }) => height)) * 0.75 + 30;
    case 'markdown':
      return label + markdownHeight(block.blocks);
    case 'evidence':
      return label + codeHeight(block.text);
    case 'comment':
      return label + heightOf(block.text, looks.body) + 15;
    case 'together':
      return block.blocks.reduce((sum, part) => sum + blockHeight(part), 0);
  }
}

/**
 * Estimates the page of each heading: only the program that lays out the pages knows them, but a reader should see
 * numbers without updating the contents. `first` is the page after the contents.
 */
export function estimatePages({ blocks, paper }: DocumentContent, first: number): Map<string, number> {
  const pageHeight = pageHeights[paper];
  const pages = new Map<string, number>();
  let page = first;
  let used = 0;
  const breakPage = () => {
    if (used === 0) return;
    page++;
    used = 0;
  };
  const place = (height: number, isWhole: boolean) => {
    if (isWhole && height < pageHeight && used + height > pageHeight) breakPage();
    used += height;
    while (used > pageHeight) {
      page++;
      used -= pageHeight;
    }
  };
  for (const [index, block] of blocks.entries()) {
    const parts = block.kind === 'together' ? block.blocks : [block];
    const heading = parts.find((part) => part.kind === 'heading');
    if (heading?.newPage && index > 0) breakPage();
    const height = blockHeight(block);
    const isWhole =
      block.kind === 'together'
        ? isShort(block.blocks)
        : block.kind === 'table'
          ? rowsKeptTogether(block.rows).whole
          : block.kind !== 'markdown';
    // A heading stays with the next block, so it does not end a page.
    const withNext = heading ? Math.min(60, blockHeight(blocks[index + 1] ?? block)) : 0;
    if (heading && used + height + withNext > pageHeight) breakPage();
    if (block.kind === 'table' && !isWhole)
      for (const row of [startOf(block), ...rowHeights(block), spacer]) place(row, true);
    else place(height, isWhole);
    if (heading) pages.set(heading.id, page);
  }
  return pages;
}
