import MarkdownIt, { type Token } from 'markdown-it';

/** A line break within a paragraph is `\n` in a text. An image becomes its alternative text; HTML stays as written. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; inlines: Inline[] }
  | { kind: 'link'; url: string; inlines: Inline[] };

/** Markdown for documents: it has no active content, and its headings rank below those of the document. */
export type Block =
  | { kind: 'paragraph' | 'heading'; inlines: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] };

/** Longer text is truncated, with a note: nobody reads ten pages on one finding. */
const maxCharacters = 20_000;
const maxBlocks = 1_000;
/** The maximum depth of nested lists, quotes and inlines. */
const maxDepth = 8;

/** The parser drops deeper content, so text that nests deeper is shown as written. */
const parserNesting = 60;

const parser = new MarkdownIt('commonmark', { html: false, maxNesting: parserNesting });
parser.enable('table');

/** Returns whether a document may contain this link; for other links, only the text is kept. */
export function isSafeLink(address: string): boolean {
  return /^(?:https?:\/\/[^/\s]|mailto:[^\s])/i.test(address) && address.length <= 2_000 && URL.canParse(address);
}

/**
 * Parses Markdown (CommonMark, and tables, which stay as written) into a tree of bounded depth and size. Never throws.
 */
export function readMarkdown(text: string): Block[] {
  const shortened = text.length > maxCharacters;
  const source = (shortened ? text.slice(0, maxCharacters) : text).toWellFormed();
  const tokens = parser.parse(source, {});
  const tooDeep = tokens.some((token) => token.level >= parserNesting - 2);
  const blocks = tooDeep ? source.split(/\n{2,}/).map(plainParagraph) : readBlocks(tokens, source.split('\n'));
  const cut = shortened || blocks.length > maxBlocks;
  return cut ? [...blocks.slice(0, maxBlocks), plainParagraph('[… Truncated.]')] : blocks;
}

const plainParagraph = (text: string): Block => ({ kind: 'paragraph', inlines: [{ kind: 'text', text }] });

/** The container of the next blocks: the document, a quote or a list item. */
type Frame = { blocks: Block[]; list?: Extract<Block, { kind: 'list' }> };

function readBlocks(tokens: Token[], lines: string[]): Block[] {
  const document: Frame = { blocks: [] };
  const frames: Frame[] = [document];
  let count = 0;
  for (let index = 0; index < tokens.length && count <= maxBlocks; index++) {
    const token = tokens[index]!;
    const frame = frames.at(-1)!;
    if (token.type === 'table_open') {
      index = closingOf(tokens, index);
      frame.blocks.push({ kind: 'code', text: lines.slice(...token.map!).join('\n') });
    } else if (token.nesting === 1) open(frames, token);
    else if (token.nesting === -1) close(frames, token);
    else {
      const block = leafBlock(token, tokens[index - 1]);
      if (block) frame.blocks.push(block);
      count += 1;
    }
  }
  if (count > maxBlocks) document.blocks.push(plainParagraph('[… Truncated.]'));
  return document.blocks;
}

function closingOf(tokens: Token[], opening: number): number {
  const { level } = tokens[opening]!;
  return tokens.findIndex((token, index) => index > opening && token.nesting === -1 && token.level === level);
}

function open(frames: Frame[], token: Token): void {
  const frame = frames.at(-1)!;
  // At this depth, the content of a list or quote is added to its container.
  const flat = frames.length > maxDepth;
  if (token.type === 'blockquote_open') {
    const quote: Block = { kind: 'quote', blocks: [] };
    if (!flat) frame.blocks.push(quote);
    frames.push({ blocks: flat ? frame.blocks : quote.blocks });
  } else if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') {
    const ordered = token.type === 'ordered_list_open';
    const list = { kind: 'list' as const, ordered, start: Number(token.attrGet('start') ?? 1), items: [] };
    if (!flat) frame.blocks.push(list);
    frames.push(flat ? { blocks: frame.blocks } : { blocks: frame.blocks, list });
  } else if (token.type === 'list_item_open') {
    const item: Block[] = [];
    frame.list?.items.push(item);
    frames.push({ blocks: frame.list ? item : frame.blocks });
  }
}

const framed = ['blockquote_close', 'bullet_list_close', 'ordered_list_close', 'list_item_close'];

function close(frames: Frame[], token: Token): void {
  if (framed.includes(token.type)) frames.pop();
}

function leafBlock(token: Token, before: Token | undefined): Block | null {
  if (token.type === 'fence' || token.type === 'code_block')
    return { kind: 'code', text: token.content.replace(/\n$/, '') };
  if (token.type !== 'inline') return null;
  const inlines = readInlines(token.children ?? []);
  if (inlines.length === 0) return null;
  return { kind: before?.type === 'heading_open' ? 'heading' : 'paragraph', inlines };
}

function readInlines(tokens: Token[]): Inline[] {
  const stack: Inline[][] = [[]];
  for (const token of tokens) {
    const inlines = stack.at(-1)!;
    if (token.nesting === 1) stack.push(openInline(inlines, token, stack.length > maxDepth));
    else if (token.nesting === -1) stack.pop();
    else if (token.type === 'code_inline') inlines.push({ kind: 'code', text: token.content });
    else appendText(inlines, textOf(token));
  }
  return stack[0]!;
}

function openInline(inlines: Inline[], token: Token, flat: boolean): Inline[] {
  const url = String(token.attrGet('href') ?? '');
  if (flat || (token.type === 'link_open' && !isSafeLink(url))) return inlines;
  const inner: Inline[] = [];
  if (token.type === 'link_open') inlines.push({ kind: 'link', url, inlines: inner });
  else inlines.push({ kind: token.type === 'strong_open' ? 'strong' : 'emphasis', inlines: inner });
  return inner;
}

function textOf(token: Token): string {
  if (token.type === 'softbreak') return ' ';
  if (token.type === 'hardbreak') return '\n';
  return token.content;
}

function appendText(inlines: Inline[], text: string): void {
  const last = inlines.at(-1);
  if (last?.kind === 'text') last.text += text;
  else if (text !== '') inlines.push({ kind: 'text', text });
}
