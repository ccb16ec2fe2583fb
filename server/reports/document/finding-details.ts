import type { ReportComment, ReportFinding, ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, link, severityBadge, strong, text } from './blocks.ts';
import { findingFacts, separator } from './facts.ts';
import { consoleInline, type Targets } from './targets.ts';
import { asEvidence, cut, descriptionOf, evidenceOf, lineOf, markdownBlock, writtenBlock } from './texts.ts';

/** Longer titles are shortened in the heading and shown in full below it. */
const maxHeading = 140;
const maxTitle = 10_000;

/**
 * The lengths to which a finding's texts are truncated, in characters; `comments` is the number of newest comments
 * shown.
 */
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

/**
 * The parts of the report that the details need: its language, the names of detection sources, and links to the
 * console.
 */
export type DetailsHead = Pick<ReportHead, 'document' | 'source_names'> & { targets?: Targets };

/** Returns a finding with all its details. Its heading and facts stay on one page. */
export function findingDetails(finding: ReportFinding, head: DetailsHead, limits: Limits): Block[] {
  const words = wordingOf(head);
  const { say } = words;
  const title = lineOf(finding.title, maxHeading);
  const opened = head.targets && consoleInline(finding.id, say('detail.open'), head.targets);
  const isCut = title.endsWith('…');
  const texts = [
    ...(isCut ? [writtenBlock(finding.title.slice(0, Math.min(maxTitle, limits.text)), say('detail.full_title'))] : []),
    ...textBlocks(descriptionOf(finding), say('detail.description'), limits, words),
    ...cut(evidenceOf(finding), limits.evidence, words, (shown) => [
      { kind: 'evidence', label: say('detail.evidence'), text: asEvidence(shown) },
    ]),
    ...textBlocks(finding.remediation ?? '', say('detail.remediation'), limits, words),
    ...referenceBlocks(finding.references, limits.references, words),
    ...commentBlocks(finding, limits, words),
  ];
  // Not kept with other blocks: it would move to the next page with the findings after it.
  return [
    {
      kind: 'together',
      withNext: texts.length > 0,
      blocks: [
        heading(3, finding.id, title, { severity: finding.severity, aside: finding.number }),
        {
          kind: 'paragraph',
          style: 'small',
          inlines: [
            severityBadge(finding.severity),
            text('  '),
            strong(say(`status.${finding.status}`)),
            ...(opened ? [separator, opened] : []),
          ],
        },
        { kind: 'facts', facts: findingFacts(finding, head, limits.places) },
      ],
    },
    ...texts,
  ];
}

const textBlocks = (value: string, label: string, limits: Limits, words: Wording): Block[] =>
  cut(value, limits.text, words, (shown) => [
    limits.markdown ? markdownBlock(shown, label) : writtenBlock(shown, label),
  ]);

/** Returns the first references as lines of one paragraph, and the number of the others. */
function referenceBlocks(references: string[], max: number, { say }: Wording): Block[] {
  if (references.length === 0) return [];
  const lines = references.slice(0, max).map((address) => link(address));
  const others = references.length - lines.length;
  if (others > 0) lines.push(text(say('detail.more_references', { n: others })));
  const inlines = lines.flatMap((line, index) => (index > 0 ? [text('\n'), line] : [line]));
  return [{ kind: 'paragraph', style: 'body', label: say('detail.references'), inlines }];
}

function commentBlocks({ comments, comment_count: all }: ReportFinding, limits: Limits, words: Wording): Block[] {
  const { say } = words;
  const newest = comments.slice(-limits.comments);
  const isCut = all > newest.length;
  const label = say(isCut ? 'detail.newest_comments' : 'detail.comments', { shown: newest.length, n: all });
  return newest.flatMap((comment, index) => commentBlock(comment, limits.comment, index === 0 ? label : null, words));
}

const commentBlock = (
  { author, created_at: at, comment }: ReportComment,
  max: number,
  label: string | null,
  words: Wording,
) =>
  cut(comment, max, words, (shown) => [
    {
      kind: 'comment',
      label,
      author: author ?? words.say('detail.unknown_author'),
      at: words.moment(at),
      text: shown,
    },
  ]);
