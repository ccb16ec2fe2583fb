import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { Logo } from '../branding/branding.ts';
import type { Chart } from '../charts/index.ts';
import { isSafeLink, type Block as MarkdownBlock, type Inline as MarkdownInline } from '../markdown.ts';
import type { ReportLanguage, TlpLabel } from '../report-document.ts';

/**
 * A piece of a line. `note` is small and gray; `goto` links to the heading with this id; `severity` is its name on its
 * color. Texts are those of the report: each renderer makes them displayable.
 */
export type Inline =
  | MarkdownInline
  | { kind: 'note'; text: string }
  | { kind: 'goto'; target: string; text: string }
  | { kind: 'severity'; severity: Severity };

export type Heading = {
  kind: 'heading';
  level: 1 | 2 | 3;
  /** Unique in the document: a letter, then letters, digits and underscores, at most 40. */
  id: string;
  text: string;
  severity?: Severity;
  /** Shown to the right of the heading, such as an id. */
  aside?: string;
  newPage?: boolean;
};

/** A labeled value. Two short facts share a line. */
export type Fact = { label: string; inlines: Inline[]; short?: boolean };

/** `width` is in millimeters, or a share of the width that the other columns leave. */
export type Column = { label: string; width: { share: number } | { mm: number }; align?: 'left' | 'right' };

/**
 * `lines`: the maximum number of lines in any cell. If all rows of a table have it, they need not be measured, which
 * halves the layout time.
 */
export type Row = { cells: Inline[][]; total?: boolean; lines?: number };

export type Table = {
  kind: 'table';
  /** The caption above the table; null if the preceding text introduces it. */
  caption: string | null;
  /** A description of the table, for assistive technology. */
  description: string;
  columns: Column[];
  rows: Row[];
  /** Smaller letters, for places. */
  dense?: boolean;
  /** Less space between the rows, for hundreds of them. */
  tight?: boolean;
};

export type KeyFigure = { label: string; value: string; note: string };

export type ParagraphStyle = 'lead' | 'body' | 'note' | 'small' | 'card';

/**
 * A part of the document; the `label` of a text is above its first line. PDF and DOCX render the same parts, so they
 * have the same headings, texts and figures.
 */
export type Block =
  | Heading
  | { kind: 'paragraph'; style: ParagraphStyle; inlines: Inline[]; label?: string }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'key_figures'; figures: KeyFigure[] }
  | { kind: 'facts'; facts: Fact[] }
  | Table
  /** Charts side by side. */
  | { kind: 'charts'; charts: Chart[] }
  /** Text of a finding. */
  | { kind: 'markdown'; label: string | null; blocks: MarkdownBlock[] }
  | { kind: 'evidence'; label: string | null; text: string; dense?: boolean }
  | { kind: 'comment'; label: string | null; author: string; at: string; text: string }
  /** Parts that stay on one page and must therefore be short; `withNext` also keeps the next block with them. */
  | { kind: 'together'; blocks: Block[]; withNext?: boolean };

/** The first page. */
export type Cover = {
  subtitle: string;
  figures: Array<{ value: string; label: string }>;
  /** Open findings by severity. */
  severities: Record<Severity, number>;
  facts: Fact[];
};

export type DocumentContent = {
  id: string;
  title: string;
  /** The SHA-256 of the snapshot. */
  snapshotSha256: string | null;
  organization: string;
  takenAt: string;
  /** The localized state: draft, reviewed or final. */
  state: string;
  author: string;
  version: string;
  /** The label of the Traffic Light Protocol in the header and footer of each page. */
  label: TlpLabel | null;
  language: ReportLanguage;
  paper: 'a4' | 'letter';
  /** The accent color, `#rrggbb`. */
  accent: string;
  footer: string;
  /** The operator's logo, for the cover. */
  logo: Logo | null;
  cover: Cover;
  /** The deepest level of headings in the contents; 0 for no contents. */
  contentsDepth: 0 | 1 | 2 | 3;
  blocks: Block[];
};

export const text = (value: string): Inline => ({ kind: 'text', text: value });
export const code = (value: string): Inline => ({ kind: 'code', text: value });
export const note = (value: string): Inline => ({ kind: 'note', text: value });
export const strong = (value: string): Inline => ({ kind: 'strong', inlines: [{ kind: 'text', text: value }] });
/** Returns a link if documents may contain its address; otherwise only its text. */
export const link = (url: string, value = url): Inline =>
  isSafeLink(url) ? { kind: 'link', url, inlines: [{ kind: 'text', text: value }] } : text(value);
export const severityBadge = (severity: Severity): Inline => ({ kind: 'severity', severity });

export const heading = (level: Heading['level'], id: string, value: string, more: Partial<Heading> = {}): Heading => ({
  kind: 'heading',
  level,
  id,
  text: value,
  ...more,
});

export const paragraph = (value: string | Inline[], style: ParagraphStyle = 'body'): Block => ({
  kind: 'paragraph',
  style,
  inlines: typeof value === 'string' ? [text(value)] : value,
});

export const table = (parts: Omit<Table, 'kind'>): Table => ({ kind: 'table', ...parts });

/**
 * Returns the keywords in the file's properties by which `assay report verify` recognizes a document, and its state.
 */
export const keywordsOf = ({ id, snapshotSha256, state }: DocumentContent): string[] => [
  id,
  ...(snapshotSha256 === null ? [] : [`sha256:${snapshotSha256}`]),
  state,
];

/** Yields the blocks of a document, including nested ones. */
export function* allBlocks(blocks: Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    if (block.kind === 'together') yield* allBlocks(block.blocks);
  }
}

/** Returns the headings in document order. */
export const headingsOf = (blocks: Block[]): Heading[] =>
  [...allBlocks(blocks)].filter((block) => block.kind === 'heading');

/** Returns the text of inlines without formatting. */
export const lettersOf = (inlines: Inline[]): string =>
  inlines
    .map((inline) => ('text' in inline ? inline.text : 'inlines' in inline ? lettersOf(inline.inlines) : ''))
    .join('');
