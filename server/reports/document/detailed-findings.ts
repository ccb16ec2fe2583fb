import { type Severity, severities } from '../../findings/severity.ts';
import { count, formatNumber, severityNames } from '../labels.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { type Block, heading, paragraph } from './blocks.ts';
import { fittedDetails } from './fit.ts';

/** Returns the findings with all their details, by severity; a severity without findings has no heading. */
export function detailedFindingBlocks(head: ReportHead, findings: ReportFinding[]): Block[] {
  const details = fittedDetails(findings, head.source_names);
  const bySeverity = Map.groupBy(details.keys(), (index) => findings[index]!.severity);
  return [
    heading(1, 'findings', 'Findings', { newPage: head.summary.total > 0 }),
    ...orderNotes(head, findings.length),
    ...severities
      .filter((severity) => head.summary.by_severity[severity] > 0)
      .flatMap((severity) => {
        const shown = bySeverity.get(severity) ?? [];
        return [...severityHeading(head, severity, shown.length), ...shown.flatMap((index) => details[index]!)];
      }),
  ];
}

/** Returns the heading of a severity, and how many of its findings follow. */
function severityHeading(head: ReportHead, severity: Severity, shown: number): Block[] {
  const all = head.summary.by_severity[severity];
  const rest =
    shown === all
      ? ''
      : shown === 0
        ? ' The details are in the CSV export.'
        : ` The first ${formatNumber(shown)} are shown here; the others are in the CSV export.`;
  return [
    heading(2, `severity_${severity}`, `${severityNames[severity]} (${formatNumber(all)})`, { severity }),
    paragraph(
      `${count(all, 'finding')}, ${formatNumber(head.open_by_severity[severity])} of them open.${rest}`,
      'note',
    ),
  ];
}

/** Returns the paragraphs before the findings: their order, and where the rest is. */
function orderNotes(head: ReportHead, detailed: number): Block[] {
  const { total } = head.summary;
  if (total === 0)
    return [paragraph('This report has no findings: none matched its selection when the snapshot was taken.')];
  const order =
    'Findings are sorted by severity, then by status (open first), then by the time they were first seen (oldest first).';
  if (detailed >= total) return [paragraph(order)];
  return [
    paragraph(order),
    paragraph(
      `This report covers ${count(total, 'finding')}. The ${formatNumber(detailed)} most severe are shown in detail here. The CSV export of the same report (${head.id}) contains every finding with all its fields.`,
    ),
  ];
}
