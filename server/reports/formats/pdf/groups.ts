import { type Severity, severities } from '../../../findings/severity.ts';
import { count, formatNumber, severityColors, severityNames } from '../../labels.ts';
import type { ReportFinding, ReportHead } from '../../report-model.ts';
import type { PrintedFinding } from './finding.ts';
import { printFindings } from './fit.ts';

export type Group = { title: string; color: string; note: string; findings: PrintedFinding[] };

/** Groups the findings by severity; a severity without findings has no group. */
export function groups(head: ReportHead, findings: ReportFinding[]): Group[] {
  const printed = printFindings(findings, head.source_names);
  const bySeverity = Map.groupBy(printed, (_, index) => findings[index]!.severity);
  return severities
    .filter((severity) => head.summary.by_severity[severity] > 0)
    .map((severity) => group(head, severity, bySeverity.get(severity) ?? []));
}

function group(head: ReportHead, severity: Severity, findings: PrintedFinding[]): Group {
  const all = head.summary.by_severity[severity];
  const open = head.open_by_severity[severity];
  const shown =
    findings.length === all
      ? ''
      : findings.length === 0
        ? ' The details are in the CSV export.'
        : ` The first ${formatNumber(findings.length)} are shown here; the others are in the CSV export.`;
  return {
    title: `${severityNames[severity]} (${formatNumber(all)})`,
    color: severityColors[severity],
    note: `${count(all, 'finding')}, ${formatNumber(open)} of them open.${shown}`,
    findings,
  };
}

/** Returns the paragraphs before the findings: their order, and where the rest is. */
export function groupNotes(head: ReportHead, detailed: number): string[] {
  const { total } = head.summary;
  if (total === 0) return ['This report has no findings: none matched its selection when the snapshot was taken.'];
  const order =
    'Findings are sorted by severity, then by status (open first), then by the time they were first seen (oldest first).';
  if (detailed >= total) return [order];
  return [
    order,
    `This report covers ${count(total, 'finding')}. The ${formatNumber(detailed)} most severe are shown in detail here. The CSV export of the same report (${head.id}) contains every finding with all its fields.`,
  ];
}
