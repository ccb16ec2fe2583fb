import type { Block } from '../blocks.ts';
import { heightOf, type Paper, usable } from './heights.ts';

/** After a page with so little of it filled, the next section follows on it. */
const littleFilled = 0.4;

/** The part of the estimated height that sections of tables and short texts take, measured on real reports. */
const actual = 0.85;

/** After so many pages, how much of the last is filled cannot be told. */
const maxKnown = 3;

const beginsSection = (block: Block): boolean =>
  block.kind === 'heading' && block.level === 1 && block.newPage === true;

/** Returns blocks whose sections begin a page only if the page before is not nearly empty and has no room for all of it. */
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
