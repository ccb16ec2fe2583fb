import { type Block, type Inline, isSafeLink, readMarkdown } from '../../markdown.ts';
import { runsRightToLeft, type Words, words } from './text.ts';

/** The tree that rich.typ renders. */
export type RichInline =
  | { kind: 'text' | 'code'; text: Words }
  | { kind: 'strong' | 'emphasis'; inlines: RichInline[] }
  | { kind: 'link'; url: string; inlines: RichInline[] };

export type RichBlock =
  | { kind: 'paragraph' | 'heading'; inlines: RichInline[]; rtl: boolean }
  | { kind: 'list'; ordered: boolean; start: number; items: RichBlock[][] }
  | { kind: 'code' | 'note'; text: Words }
  | { kind: 'quote'; blocks: RichBlock[] }
  | { kind: 'comment'; author: Words; at: string; text: Words; rtl: boolean };

export const textInline = (text: string, max?: number): RichInline => ({ kind: 'text', text: words(text, { max }) });
export const codeInline = (text: string, max?: number): RichInline => ({
  kind: 'code',
  text: words(text, { max, line: true }),
});

/** Returns a link if documents may contain its address; otherwise its text. */
export function linkInline(url: string, text = url): RichInline {
  const inline = textInline(text, 500);
  return isSafeLink(url) ? { kind: 'link', url, inlines: [inline] } : inline;
}

export const richMarkdown = (text: string): RichBlock[] => readMarkdown(text).map(richBlock);

function richBlock(block: Block): RichBlock {
  if (block.kind === 'list')
    return { ...block, start: listStart(block.start), items: block.items.map((item) => item.map(richBlock)) };
  if (block.kind === 'quote') return { kind: 'quote', blocks: block.blocks.map(richBlock) };
  if (block.kind === 'code') return { kind: 'code', text: words(block.text) };
  return { kind: block.kind, inlines: block.inlines.map(richInline), rtl: runsRightToLeft(lettersOf(block.inlines)) };
}

const listStart = (start: number) => (Number.isSafeInteger(start) && start >= 0 ? start : 1);

function richInline(inline: Inline): RichInline {
  if ('text' in inline) return { kind: inline.kind, text: words(inline.text) };
  return { ...inline, inlines: inline.inlines.map(richInline) };
}

const lettersOf = (inlines: Inline[]): string =>
  inlines.map((inline) => ('text' in inline ? inline.text : lettersOf(inline.inlines))).join('');
