import type { Severity } from '@assay/scanner/contract/severity.ts';
import { type Inline, lettersOf } from '../../document/blocks.ts';
import { type Block, isSafeLink } from '../../markdown.ts';
import { plainText } from '../../plain-text.ts';
import { runsRightToLeft, type Words, words } from './text.ts';

/** The tree that blocks.typ renders. */
export type RichInline =
  | { kind: 'text' | 'code' | 'note'; text: Words }
  | { kind: 'strong' | 'emphasis'; inlines: RichInline[] }
  | { kind: 'link'; url: string; inlines: RichInline[] }
  | { kind: 'goto'; target: string; text: Words }
  | { kind: 'severity'; severity: Severity };

export type RichBlock =
  | { kind: 'paragraph' | 'heading'; inlines: RichInline[]; rtl: boolean }
  | { kind: 'list'; ordered: boolean; start: number; items: RichBlock[][] }
  | { kind: 'code'; text: Words }
  | { kind: 'quote'; blocks: RichBlock[] };

function richInline(inline: Inline): RichInline {
  switch (inline.kind) {
    case 'severity':
      return inline;
    case 'goto':
      return { ...inline, text: words(inline.text) };
    case 'link':
      return isSafeLink(inline.url)
        ? { kind: 'link', url: inline.url, inlines: richInlines(inline.inlines) }
        : { kind: 'text', text: words(lettersOf([inline])) };
    case 'strong':
    case 'emphasis':
      return { kind: inline.kind, inlines: richInlines(inline.inlines) };
    case 'code':
      return { kind: 'code', text: words(plainText(inline.text, { line: true }), { code: true }) };
    default:
      return { kind: inline.kind, text: words(inline.text) };
  }
}

/**
 * Returns inlines for the template. Neighbors of the same kind are merged, because Typst's time depends on their
 * number.
 */
export const richInlines = (inlines: Inline[]): RichInline[] => joined(inlines).map(richInline);

function joined(inlines: Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const inline of inlines) {
    const last = result.at(-1);
    const isSame = last?.kind === inline.kind && (last.kind === 'text' || last.kind === 'note');
    if (isSame && 'text' in inline) result[result.length - 1] = { kind: last.kind, text: last.text + inline.text };
    else result.push(inline);
  }
  return result;
}

/** Returns a block of Markdown for the template. */
export function richBlock(block: Block): RichBlock {
  if (block.kind === 'list')
    return { ...block, start: listStart(block.start), items: block.items.map((item) => item.map(richBlock)) };
  if (block.kind === 'quote') return { kind: 'quote', blocks: block.blocks.map(richBlock) };
  if (block.kind === 'code') return { kind: 'code', text: words(block.text, { code: true }) };
  return { kind: block.kind, inlines: richInlines(block.inlines), rtl: runsRightToLeft(lettersOf(block.inlines)) };
}

const listStart = (start: number) => (Number.isSafeInteger(start) && start >= 0 ? start : 1);
