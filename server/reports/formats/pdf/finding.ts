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
const longestEvidence = 8_000;
const longestComment = 2_000;
const shownReferences = 20;
/** Shown at the end of what was cut. */
const cutNote = (whole: number) =>
  `Shortened here: the whole text has ${formatNumber(whole)} characters. The CSV export of this report holds it.`;

/** Prepares a finding for the page. */
export function printFinding(finding: ReportFinding, sourceNames: Record<string, string>): PrintedFinding {
  const heading = lineOf(finding.title, longestHeading);
  const sections = [
    ...(heading.endsWith('…') ? [{ label: 'Whole title', blocks: [plainBlock(finding.title)] }] : []),
    { label: 'Description', blocks: richMarkdown(finding.description) },
    { label: 'Evidence', blocks: evidenceBlocks(finding.evidence) },
    { label: 'Remediation', blocks: richMarkdown(finding.remediation ?? '') },
    { label: 'References', blocks: referenceBlocks(finding.references) },
    { label: commentsLabel(finding), blocks: finding.comments.flatMap(commentBlocks) },
  ];
  return {
    id: finding.id,
    severity: { name: severityNames[finding.severity], color: severityColors[finding.severity] },
    status: statusNames[finding.status],
    heading: words(heading),
    facts: findingFacts(finding, sourceNames),
    sections: sections.filter((section) => section.blocks.length > 0),
  };
}

const plainBlock = (text: string): RichBlock => ({
  kind: 'paragraph',
  inlines: [{ kind: 'text', text: words(text, { max: 10_000 }) }],
  rtl: runsRightToLeft(text),
});

/** Characters that reorder others show themselves here: hidden ones may be the very problem. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/g;
const asEvidence = (text: string) =>
  text.replace(reordering, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);

function evidenceBlocks(evidence: string | null): RichBlock[] {
  if (!evidence) return [];
  return cut('code', asEvidence(evidence), longestEvidence);
}

function cut(kind: 'code', text: string, most: number): RichBlock[] {
  if (text.length <= most) return [{ kind, text: words(text) }];
  return [
    { kind, text: words(text.slice(0, most)) },
    { kind: 'note', text: cutNote(text.length) },
  ];
}

function referenceBlocks(references: string[]): RichBlock[] {
  if (references.length === 0) return [];
  const inlines = references
    .slice(0, shownReferences)
    .flatMap((url, index): RichInline[] => [...(index > 0 ? [newLine] : []), linkInline(url)]);
  return [{ kind: 'paragraph', inlines, rtl: false }];
}

const newLine: RichInline = { kind: 'text', text: '\n' };

function commentsLabel({ comments, comment_count: all }: ReportFinding): string {
  return all > comments.length ? `Comments (newest ${comments.length} of ${formatNumber(all)})` : 'Comments';
}

function commentBlocks({ author, created_at: at, comment }: ReportComment): RichBlock[] {
  const block: RichBlock = {
    kind: 'comment',
    author: author === null ? 'Without an author' : words(author, { line: true, max: 200 }),
    at: formatMoment(at),
    text: words(comment.slice(0, longestComment)),
    rtl: runsRightToLeft(comment),
  };
  return comment.length > longestComment ? [block, { kind: 'note', text: cutNote(comment.length) }] : [block];
}
