import { type Narrative, narrate } from '../narrative.ts';
import { shorten } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { wordingOf } from '../sentences/wording.ts';
import { type Block, heading, note, paragraph, severityBadge, table, text } from './blocks.ts';
import { feedSentence } from './coverage.ts';
import { numberOf } from './named-finding.ts';
import { findingInline, type Targets } from './targets.ts';
import { markdownBlock } from './texts.ts';
import { comparisonNote, sixFigures, verdict } from './verdict.ts';

/** Longer remediations are shortened, because a step must fit on a page; the finding shows the full text. */
const maxStep = 600;

/** Returns the executive summary. */
export function summaryBlocks(head: ReportHead, targets: Targets): Block[] {
  const { lead, paragraphs, figures, steps } = narrate(head);
  const six = sixFigures(head);
  const compared = comparisonNote(head);
  const { say } = wordingOf(head);
  const start = heading(1, 'summary', say('heading.summary'), { newPage: true });
  const shown: Block[] =
    six.length > 0
      ? [{ kind: 'key_figures', figures: six }]
      : figures.length > 0
        ? [{ kind: 'key_figures', figures }]
        : [];
  return [
    start,
    paragraph(head.analysis ? verdict(head) : lead, 'lead'),
    ...shown,
    ...[compared, feedSentence(head)].filter((value) => value !== '').map((value) => paragraph(value, 'note')),
    ...(head.analysis ? underFigures(head, lead, paragraphs) : paragraphs).map((value) => paragraph(value)),
    ...(head.analysis ? [] : stepBlocks(steps, targets, say('heading.first_steps'))),
  ];
}

/**
 * Returns the paragraphs below the six figures. The first one repeats the number of open findings; the page of actions
 * explains where to start.
 */
function underFigures(
  { open, summary: { total }, first_steps: steps }: ReportHead,
  lead: string,
  paragraphs: string[],
): string[] {
  const others = steps.length > 0 ? paragraphs.slice(0, -1) : paragraphs;
  return open > 1 || total === 0 ? others : [lead, ...others];
}

function stepBlocks(steps: Narrative['steps'], targets: Targets, title: string): Block[] {
  if (steps.length === 0) return [];
  return [
    heading(2, 'first_steps', title),
    ...steps.map((step, index): Block => {
      const line = [text(`${index + 1}. `), findingInline(step.finding_id, step.title, targets), note(`  ${step.why}`)];
      const advice = step.remediation ? [markdownBlock(shorten(step.remediation, maxStep))] : [];
      return { kind: 'together', blocks: [paragraph(line), ...advice] };
    }),
  ];
}

/** Returns the open findings that were first seen longest ago. */
export function oldestBlocks(head: ReportHead, targets: Targets): Block[] {
  const { oldest } = narrate(head);
  if (oldest.length === 0) return [];
  const { say } = wordingOf(head);
  return [
    heading(2, 'oldest', say('heading.oldest')),
    table({
      caption: null,
      description: say('oldest.description'),
      columns: [
        { label: say('column.severity'), width: { mm: 24 } },
        { label: say('column.finding'), width: { share: 1 } },
      ],
      rows: oldest.map((finding) => ({
        cells: [
          [severityBadge(finding.severity)],
          [
            ...numberOf(finding.finding_id, targets),
            findingInline(finding.finding_id, finding.title, targets),
            note(`\n${finding.detail}`),
          ],
        ],
      })),
    }),
  ];
}
