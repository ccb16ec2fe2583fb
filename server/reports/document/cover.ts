import { formatMoment, formatNumber, formatPeriod } from '../labels.ts';
import { plainText, shorten } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Cover, code, type Fact, text } from './blocks.ts';
import { lineOf } from './texts.ts';

const shownValues = 12;

/** Returns the first page: period, key figures and scope. */
export const coverOf = (head: ReportHead): Cover => ({
  subtitle: `Security findings, ${formatPeriod(head.period)}`,
  figures: [
    { value: formatNumber(head.open), label: head.open === 1 ? 'open finding' : 'open findings' },
    { value: formatNumber(head.summary.total), label: 'in total, including closed' },
  ],
  severities: head.open_by_severity,
  facts: facts(head),
});

const plain = (label: string, value: string): Fact => ({ label, inlines: [text(value)] });

function facts(head: ReportHead): Fact[] {
  const selection = head.selection.map(({ label, values }) => {
    const others = values.length - shownValues;
    const shown = values
      .slice(0, shownValues)
      .map((value) => plainText(value, { line: true, max: 100 }))
      .join(', ');
    return plain(lineOf(label, 40), others > 0 ? `${shown} and ${formatNumber(others)} more` : shown);
  });
  return [
    plain('As of', formatMoment(head.taken_at)),
    plain('Period', formatPeriod(head.period)),
    ...(selection.length > 0 ? selection : [plain('Selection', 'All findings')]),
    ...control(head),
    { label: 'Report', inlines: [code(head.id)] },
    ...(head.snapshot_sha256 ? [{ label: 'Snapshot SHA-256', inlines: [code(head.snapshot_sha256)] }] : []),
  ];
}

/** Returns what the document says about itself. */
function control(head: ReportHead): Fact[] {
  const { version, state, author, reviewer, distribution, classification } = head.document;
  const receivers = distribution.map((name) => lineOf(name, 80)).join(', ');
  return [
    plain('Version', `${lineOf(version, 40)}, ${state}`),
    plain('Author', author ? lineOf(author, 100) : preparedBy(head)),
    ...(reviewer ? [plain('Reviewer', lineOf(reviewer, 100))] : []),
    ...(receivers ? [plain('Distribution', shorten(receivers, 600))] : []),
    ...(classification ? [plain('Classification', lineOf(classification, 100))] : []),
  ];
}

function preparedBy(head: ReportHead): string {
  const name = head.created_by && lineOf(head.created_by.name, 100);
  if (head.scheduled_report_id === null) return name ?? 'Assay';
  return `Assay, on a schedule${name ? ` set up by ${name}` : ''}`;
}
