import { type Block as MarkdownBlock, type Inline as MarkdownInline, readMarkdown } from '../markdown.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding } from '../report-model.ts';
import type { Wording } from '../sentences/wording.ts';
import type { Block } from './blocks.ts';

/** Returns a text in one line; `max` is its maximum length. */
export const lineOf = (value: string, max: number): string => plainText(value, { line: true, max }) || '–';

const comparable = (value: string) =>
  value
    .toLowerCase()
    .replace(/[\s*_`#.:]+/g, ' ')
    .trim();

/** Returns whether one of these texts contains these words. */
export const isSaid = (value: string, alreadySaid: string[]): boolean => {
  const words = ` ${comparable(value)} `;
  return alreadySaid.some((text) => ` ${comparable(text)} `.includes(words));
};

/** Returns a text without the paragraphs that repeat an earlier one or the texts already shown. */
export function newParagraphs(value: string, alreadySaid: string[]): string {
  const said = new Set(['']);
  return value
    .split(/\n{2,}/)
    .filter((piece) => {
      const words = comparable(piece);
      const isNew = !said.has(words) && !isSaid(piece, alreadySaid);
      if (isNew) said.add(words);
      return isNew;
    })
    .join('\n\n');
}

/**
 * Returns the description without the sentences that its title and rule repeat: many tools write the same sentence in
 * all of them.
 */
export const descriptionOf = ({ title, rule, description }: Pick<ReportFinding, 'title' | 'rule' | 'description'>) =>
  newParagraphs(description, [title, rule.name, rule.id]);

/** Characters that reorder text are made visible in evidence, because they may be the problem itself. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/g;
export const asEvidence = (value: string) =>
  value.replace(reordering, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);

/** Returns the evidence; empty if title or description repeat it. */
export const evidenceOf = ({
  title,
  description,
  evidence,
}: Pick<ReportFinding, 'title' | 'description' | 'evidence'>) =>
  evidence === null || (asEvidence(evidence) === evidence && isSaid(evidence, [title, description])) ? '' : evidence;

/** Returns the blocks of a text, shortened to `max` characters with a note; none if it is blank. */
export function cut(value: string, max: number, { say }: Wording, blocksOf: (shown: string) => Block[]): Block[] {
  if (value.trim() === '') return [];
  if (value.length <= max) return blocksOf(value);
  return [
    ...blocksOf(value.slice(0, max).toWellFormed()),
    {
      kind: 'paragraph',
      style: 'note',
      inlines: [{ kind: 'text', text: say('detail.truncated', { n: value.length }) }],
    },
  ];
}

export const markdownBlock = (value: string, label: string | null = null): Block => ({
  kind: 'markdown',
  label,
  blocks: readMarkdown(value),
});

/** Returns a text verbatim, without parsing it as Markdown. */
export const writtenBlock = (value: string, label: string | null = null): Block => ({
  kind: 'markdown',
  label,
  blocks: [{ kind: 'paragraph', inlines: [{ kind: 'text', text: value }] }],
});

/**
 * Returns Markdown as a single paragraph: list items follow each other after a bullet; headings and tables are left
 * out, since they mean little without their layout.
 */
export const flatMarkdown = (value: string): MarkdownInline[] => readMarkdown(value).flatMap(flat);

const space: MarkdownInline = { kind: 'text', text: ' ' };

function flat(block: MarkdownBlock): MarkdownInline[] {
  switch (block.kind) {
    case 'paragraph':
      return [...block.inlines, space];
    case 'heading':
      return [];
    case 'code':
      return block.text.startsWith('|') ? [] : [{ kind: 'code', text: block.text.replace(/\s+/g, ' ') }, space];
    case 'quote':
      return block.blocks.flatMap(flat);
    case 'list':
      return block.items.flatMap((item) => [{ kind: 'text', text: '• ' } as const, ...item.flatMap(flat)]);
  }
}

/** Shortens a text that is complete elsewhere, and marks it. */
export function shortened(value: string, max: number): string {
  if (value.length <= max) return value;
  const cutText = value.slice(0, max).toWellFormed();
  const end = cutText.lastIndexOf(' ');
  return `${(end > max / 2 ? cutText.slice(0, end) : cutText).trimEnd()} […]`;
}
