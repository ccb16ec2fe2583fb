import { type Narrative, narrate } from '../narrative.ts';
import { shorten } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, type Inline, note, paragraph, severityBadge, strong, table, text } from './blocks.ts';
import { markdownBlock } from './texts.ts';
import { comparisonNote, sixFigures, verdict } from './verdict.ts';

/** Longer remediations are shortened, because a step must fit on a page; the finding shows the full text. */
const maxStep = 600;

/** Returns a text that leads to a finding if the document shows it. */
export const findingInline = (id: string, value: string, targets: Map<string, string>): Inline => {
  const target = targets.get(id);
  return target === undefined ? strong(value) : { kind: 'goto', target, text: value };
};

/** Returns the executive summary; `targets` has the headings of the findings that the document shows. */
export function summaryBlocks(head: ReportHead, targets: Map<string, string>): Block[] {
  const { lead, paragraphs, figures, steps } = narrate(head);
  const six = sixFigures(head);
  const compared = comparisonNote(head);
  const start = heading(1, 'summary', 'Executive summary', { newPage: true });
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
    ...(compared ? [paragraph(compared, 'note')] : []),
    ...(head.analysis ? [lead, ...paragraphs.slice(0, -1)] : paragraphs).map((value) => paragraph(value)),
    ...(head.analysis ? [] : stepBlocks(steps, targets)),
  ];
}

function stepBlocks(steps: Narrative['steps'], targets: Map<string, string>): Block[] {
  if (steps.length === 0) return [];
  return [
    heading(2, 'first_steps', 'What to do first'),
    ...steps.map((step, index): Block => {
      const title = [
        text(`${index + 1}. `),
        findingInline(step.finding_id, step.title, targets),
        note(`  ${step.why}`),
      ];
      const advice = step.remediation ? [markdownBlock(shorten(step.remediation, maxStep))] : [];
      return { kind: 'together', blocks: [paragraph(title), ...advice] };
    }),
  ];
}

/** Returns the open findings that were first seen longest ago. */
export function oldestBlocks(head: ReportHead, targets: Map<string, string>): Block[] {
  const { oldest } = narrate(head);
  if (oldest.length === 0) return [];
  return [
    heading(2, 'oldest', 'Oldest open findings'),
    table({
      caption: null,
      description: 'The open findings that were first seen longest ago',
      columns: [
        { label: 'Severity', width: { mm: 24 } },
        { label: 'Finding', width: { share: 1 } },
      ],
      rows: oldest.map((finding) => ({
        cells: [
          [severityBadge(finding.severity)],
          [findingInline(finding.finding_id, finding.title, targets), note(`\n${finding.detail}`)],
        ],
      })),
    }),
  ];
}
