import type { Block } from '../blocks.ts';
import { isShort } from './pages.ts';

/**
 * Keeps each heading together with the paragraph after it and with the start of the following block, so that no page
 * ends with a bare section opening.
 */
export function withOpenings(blocks: Block[]): Block[] {
  const result: Block[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const [block, next, third] = blocks.slice(index, index + 3);
    const opens = block!.kind === 'heading' && next?.kind === 'paragraph' && isShort([next]);
    if (!opens) {
      result.push(block!);
      continue;
    }
    const isFollowed = third !== undefined && third.kind !== 'heading';
    result.push({ kind: 'together', withNext: isFollowed && third.kind !== 'paragraph', blocks: [block!, next] });
    index++;
  }
  return result;
}
