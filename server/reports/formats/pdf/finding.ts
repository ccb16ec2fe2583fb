import { formatMoment, formatNumber, severityColors, severityNames, statusNames } from '../../labels.ts';
import type { ReportComment, ReportFinding } from '../../report-model.ts';
import { type FactLine, findingFacts } from './facts.ts';
import { linkInline, type RichBlock, type RichInline, richMarkdown } from './rich.ts';
import { lineOf, runsRightToLeft, type Words, words } from './text.ts';

/** A finding as findings.typ sets it. */
export type PrintedFinding = {
  id: string;
  severity: { name: string; color: string };
  status: string;
  heading: Words;
  facts: FactLine[];
  sections: Array<{ label: string; blocks: RichBlock[] }>;
};

/** A longer title is shortened in the heading, and stands whole below it. */
const longestHeading = 140;
const longestTitle = 10_000;

/** How much of its texts a finding shows, in characters; `comments` are the newest ones. */
export type Limits = {
  /** Whether Markdown is read, or shown as it is written. */
  markdown: boolean;
  text: number;
  evidence: number;
  comment: number;
  comments: number;
  references: number;
  places: number;
};

/** Shown at the end of what was cut. */
const cutNote = (whole: number) =>
  `Shortened here: the whole text has ${formatNumber(whole)} characters. The CSV export of this report holds it.`;

/** Prepares a finding for the page. */
export function printFinding(
  finding: ReportFinding,
  sourceNames: Record<string, string>,
  limits: Limits,
): PrintedFinding {
  const heading = lineOf(finding.title, longestHeading);
  const sections = [
    ...(heading.endsWith('…')
      ? [{ label: 'Whole title', blocks: [plainBlock(finding.title, Math.min(longestTitle, limits.text))] }]
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

/** Characters that reorder others show themselves here: hidden ones may be the very problem. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/g;
const asEvidence = (text: string) =>
  text.replace(reordering, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);

function evidenceBlocks(evidence: string | null, most: number): RichBlock[] {
  return cut(evidence ?? '', most, (text) => [{ kind: 'code', text: words(asEvidence(text)) }]);
}

const textBlocks = (markdown: string, limits: Limits) =>
  cut(markdown, limits.text, (text) => (limits.markdown ? richMarkdown(text) : [plainBlock(text, limits.text)]));

function cut(text: string, most: number, blocksOf: (text: string) => RichBlock[]): RichBlock[] {
  if (text.trim() === '') return [];
  if (text.length <= most) return blocksOf(text);
  return [...blocksOf(text.slice(0, most)), { kind: 'note', text: cutNote(text.length) }];
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

function commentBlocks({ author, created_at: at, comment }: ReportComment, most: number): RichBlock[] {
  return cut(comment, most, (text) => [
    {
      kind: 'comment',
      author: author === null ? 'Without an author' : words(author, { line: true, max: 200 }),
      at: formatMoment(at),
      text: words(text),
      rtl: runsRightToLeft(comment),
    },
  ]);
}
