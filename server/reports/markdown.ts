import MarkdownIt, { type Token } from 'markdown-it';

/** A line break within a paragraph is `\n` in a text. An image is told by its alternative text, HTML as it is written. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; inlines: Inline[] }
  | { kind: 'link'; url: string; inlines: Inline[] };

/** What Markdown says, for documents: nothing in it is active, and a heading ranks below those of the document. */
export type Block =
  | { kind: 'paragraph' | 'heading'; inlines: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] };

/** What is longer is cut, and says so: a finding's text that fills ten pages of a report isn't read. */
const mostCharacters = 20_000;
const mostBlocks = 1_000;
/** Lists and quotes within each other, and inlines within each other. */
const deepest = 8;

/** The parser drops what nests deeper; such text is shown as it is written. */
const parserNesting = 60;

const parser = new MarkdownIt('commonmark', { html: false, maxNesting: parserNesting });
parser.enable('table');

/** Links that a document may carry; of any other only its text stays. */
export function isSafeLink(address: string): boolean {
  return /^(?:https?:\/\/[^/\s]|mailto:[^\s])/i.test(address) && address.length <= 2_000 && URL.canParse(address);
}

/** Reads Markdown (CommonMark, and tables, which stay as written) into a tree that is bounded in depth and size. Never throws. */
export function readMarkdown(text: string): Block[] {
  const shortened = text.length > mostCharacters;
  const source = (shortened ? text.slice(0, mostCharacters) : text).toWellFormed();
  const tokens = parser.parse(source, {});
  const tooDeep = tokens.some((token) => token.level >= parserNesting - 2);
  const blocks = tooDeep ? source.split(/\n{2,}/).map(plainParagraph) : readBlocks(tokens, source.split('\n'));
  const cut = shortened || blocks.length > mostBlocks;
  return cut ? [...blocks.slice(0, mostBlocks), plainParagraph('[… Shortened here.]')] : blocks;
}

const plainParagraph = (text: string): Block => ({ kind: 'paragraph', inlines: [{ kind: 'text', text }] });

/** Where blocks go at the moment: into the document, a quote or an item of a list. */
type Frame = { blocks: Block[]; list?: Extract<Block, { kind: 'list' }> };

function readBlocks(tokens: Token[], lines: string[]): Block[] {
  const document: Frame = { blocks: [] };
  const frames: Frame[] = [document];
  let count = 0;
  for (let index = 0; index < tokens.length && count <= mostBlocks; index++) {
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
  if (count > mostBlocks) document.blocks.push(plainParagraph('[… Shortened here.]'));
  return document.blocks;
}

function closingOf(tokens: Token[], opening: number): number {
  const { level } = tokens[opening]!;
  return tokens.findIndex((token, index) => index > opening && token.nesting === -1 && token.level === level);
}

function open(frames: Frame[], token: Token): void {
  const frame = frames.at(-1)!;
  // Deeper than that, what is in a list or quote follows as blocks of what it stands in.
  const flat = frames.length > deepest;
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
    if (token.nesting === 1) stack.push(openInline(inlines, token, stack.length > deepest));
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
