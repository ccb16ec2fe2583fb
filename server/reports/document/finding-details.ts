import { formatMoment, formatNumber, statusNames } from '../labels.ts';
import type { ReportComment, ReportFinding } from '../report-model.ts';
import { type Block, heading, link, severityBadge, strong, text } from './blocks.ts';
import { findingFacts } from './facts.ts';
import { asEvidence, cut, descriptionOf, lineOf, markdownBlock, writtenBlock } from './texts.ts';

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

/** Returns a finding with all its details. Its heading and facts stay on one page. */
export function findingDetails(finding: ReportFinding, sourceNames: Record<string, string>, limits: Limits): Block[] {
  const title = lineOf(finding.title, maxHeading);
  const isCut = title.endsWith('…');
  return [
    {
      kind: 'together',
      withNext: true,
      blocks: [
        heading(3, finding.id, title, { severity: finding.severity, aside: finding.id }),
        {
          kind: 'paragraph',
          style: 'small',
          inlines: [severityBadge(finding.severity), text('  '), strong(statusNames[finding.status])],
        },
        { kind: 'facts', facts: findingFacts(finding, sourceNames, limits.places) },
      ],
    },
    ...(isCut ? [writtenBlock(finding.title.slice(0, Math.min(maxTitle, limits.text)), 'Full title')] : []),
    ...textBlocks(descriptionOf(finding), 'Description', limits),
    ...cut(finding.evidence ?? '', limits.evidence, (shown) => [
      { kind: 'evidence', label: 'Evidence', text: asEvidence(shown) },
    ]),
    ...textBlocks(finding.remediation ?? '', 'Remediation', limits),
    ...referenceBlocks(finding.references, limits.references),
    ...commentBlocks(finding, limits),
  ];
}

const textBlocks = (value: string, label: string, limits: Limits): Block[] =>
  cut(value, limits.text, (shown) => [limits.markdown ? markdownBlock(shown, label) : writtenBlock(shown, label)]);

/** Returns the first references as lines of one paragraph, and the number of the others. */
function referenceBlocks(references: string[], max: number): Block[] {
  if (references.length === 0) return [];
  const lines = references.slice(0, max).map((address) => link(address));
  const others = references.length - lines.length;
  if (others > 0) lines.push(text(`and ${formatNumber(others)} more, in the CSV export of this report`));
  const inlines = lines.flatMap((line, index) => (index > 0 ? [text('\n'), line] : [line]));
  return [{ kind: 'paragraph', style: 'body', label: 'References', inlines }];
}

function commentBlocks({ comments, comment_count: all }: ReportFinding, limits: Limits): Block[] {
  const newest = comments.slice(-limits.comments);
  const label = all > newest.length ? `Comments (newest ${newest.length} of ${formatNumber(all)})` : 'Comments';
  return newest.flatMap((comment, index) => commentBlock(comment, limits.comment, index === 0 ? label : null));
}

const commentBlock = ({ author, created_at: at, comment }: ReportComment, max: number, label: string | null) =>
  cut(comment, max, (shown) => [
    { kind: 'comment', label, author: author ?? 'Unknown author', at: formatMoment(at), text: shown },
  ]);
