import type { Block } from '../blocks.ts';
import { heightOf, type Paper, usable } from './heights.ts';

/** If less than this share of a page is filled, the next section continues on it. */
const littleFilled = 0.4;

/** The share of the estimated height that sections of tables and short texts take, measured on real reports. */
const actual = 0.85;

/** After this many pages, the fill of the last one is unknown. */
const maxKnown = 3;

const beginsSection = (block: Block): boolean =>
  block.kind === 'heading' && block.level === 1 && block.newPage === true;

/**
 * Returns the blocks. A section starts a page only if the previous page is not nearly empty and the whole section does
 * not fit on it.
 */
export function withoutSparsePages(blocks: Block[], paper: Paper): Block[] {
  const page = usable(1, paper);
  const starts = [...blocks.keys()].filter((index) => beginsSection(blocks[index]!));
  const result = blocks.slice(0, starts[0] ?? blocks.length);
  let filled = heightsOf(result, paper) / page;
  for (const [number, start] of starts.entries()) {
    const section = blocks.slice(start, starts[number + 1]);
    const height = heightsOf(section, paper) / page;
    const onPage = filled % 1;
    const isKnown = number > 0 && onPage > 0 && filled <= maxKnown;
    const follows = isKnown && (onPage <= littleFilled || onPage + height <= 1);
    const [first, ...others] = section;
    result.push(follows && first!.kind === 'heading' ? { ...first, newPage: false } : first!, ...others);
    filled = (follows ? onPage : 0) + height;
  }
  return result;
}

const heightsOf = (blocks: Block[], paper: Paper): number =>
  actual * blocks.reduce((sum, block) => sum + heightOf(block, paper), 0);
