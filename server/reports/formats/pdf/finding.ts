import { formatMoment, formatNumber, severityColors, severityNames, statusNames } from '../../labels.ts';
import type { ReportComment, ReportFinding } from '../../report-model.ts';
import { type FactLine, findingFacts } from './facts.ts';
import { linkInline, type RichBlock, type RichInline, richMarkdown } from './rich.ts';
import { lineOf, runsRightToLeft, type Words, words } from './text.ts';

/** A finding as findings.typ expects it. */
export type PrintedFinding = {
  id: string;
  severity: { name: string; color: string };
  status: string;
  heading: Words;
  facts: FactLine[];
  sections: Array<{ label: string; blocks: RichBlock[] }>;
};

/** Longer titles are shortened in the heading and shown in full below it. */
const maxHeading = 140;
const maxTitle = 10_000;

/** The lengths to which a finding's texts are cut, in characters; `comments` counts the newest ones. */
export type Limits = {
  /** Whether Markdown is rendered, or shown as written. */
  markdown: boolean;
  text: number;
  evidence: number;
  comment: number;
  comments: number;
  references: number;
  places: number;
};

/** Returns the note at the end of a truncated text. */
const cutNote = (whole: number) =>
  `Truncated: the full text has ${formatNumber(whole)} characters. It is in the CSV export of this report.`;

/** Prepares a finding for the page. */
export function printFinding(
  finding: ReportFinding,
  sourceNames: Record<string, string>,
  limits: Limits,
): PrintedFinding {
  const heading = lineOf(finding.title, maxHeading);
  const sections = [
    ...(heading.endsWith('…')
      ? [{ label: 'Full title', blocks: [plainBlock(finding.title, Math.min(maxTitle, limits.text))] }]
      : []),
    { label: 'Description', blocks: textBlocks(finding.description, limits) },
    { label: 'Evidence', blocks: evidenceBlocks(finding.evidence, limits.evidence) },
    { label: 'Remediation', blocks: textBlocks(finding.remediation ?? '', limits) },
    { label: 'References', blocks: referenceBlocks(finding.references.slice(0, limits.references)) },
    commentSection(finding, limits),
  ];
  return {
    id: finding.id,
    severity: { name: severityNames[finding.severity], color: severityColors[finding.severity] },
    status: statusNames[finding.status],
    heading: words(heading),
    facts: findingFacts(finding, sourceNames, limits.places),
    sections: sections.filter((section) => section.blocks.length > 0),
  };
}

const plainBlock = (text: string, max: number): RichBlock => ({
  kind: 'paragraph',
  inlines: [{ kind: 'text', text: words(text, { max }) }],
  rtl: runsRightToLeft(text),
});

/** Characters that reorder text are made visible in evidence, because they may be the problem itself. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/g;
const asEvidence = (text: string) =>
  text.replace(reordering, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);

function evidenceBlocks(evidence: string | null, max: number): RichBlock[] {
  return cut(evidence ?? '', max, (text) => [{ kind: 'code', text: words(asEvidence(text)) }]);
}

const textBlocks = (markdown: string, limits: Limits) =>
  cut(markdown, limits.text, (text) => (limits.markdown ? richMarkdown(text) : [plainBlock(text, limits.text)]));

function cut(text: string, max: number, blocksOf: (text: string) => RichBlock[]): RichBlock[] {
  if (text.trim() === '') return [];
  if (text.length <= max) return blocksOf(text);
  return [...blocksOf(text.slice(0, max)), { kind: 'note', text: cutNote(text.length) }];
}

function referenceBlocks(references: string[]): RichBlock[] {
  if (references.length === 0) return [];
  const inlines = references.flatMap((url, index): RichInline[] => [...(index > 0 ? [newLine] : []), linkInline(url)]);
  return [{ kind: 'paragraph', inlines, rtl: false }];
}

const newLine: RichInline = { kind: 'text', text: '\n' };

function commentSection({ comments, comment_count: all }: ReportFinding, limits: Limits) {
  const newest = comments.slice(-limits.comments);
  return {
    label: all > newest.length ? `Comments (newest ${newest.length} of ${formatNumber(all)})` : 'Comments',
    blocks: newest.flatMap((comment) => commentBlocks(comment, limits.comment)),
  };
}

function commentBlocks({ author, created_at: at, comment }: ReportComment, max: number): RichBlock[] {
  return cut(comment, max, (text) => [
    {
      kind: 'comment',
      author: author === null ? 'Unknown author' : words(author, { line: true, max: 200 }),
      at: formatMoment(at),
      text: words(text),
      rtl: runsRightToLeft(comment),
    },
  ]);
}
