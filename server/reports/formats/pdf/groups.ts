import { type Severity, severities } from '../../../findings/severity.ts';
import { count, formatNumber, severityColors, severityNames } from '../../labels.ts';
import type { ReportFinding, ReportHead } from '../../report-model.ts';
import type { PrintedFinding } from './finding.ts';
import { printFindings } from './fit.ts';

export type Group = { title: string; color: string; note: string; findings: PrintedFinding[] };

/** The findings by severity; a severity without any has no group. */
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
  const told =
    findings.length === all
      ? ''
      : findings.length === 0
        ? ' Details: in the CSV export.'
        : ` The first ${formatNumber(findings.length)} are told of here, the others in the CSV export.`;
  return {
    title: `${severityNames[severity]} (${formatNumber(all)})`,
    color: severityColors[severity],
    note: `${count(all, 'finding')}, ${formatNumber(open)} of them open.${told}`,
    findings,
  };
}

/** What stands before the findings: their order, and where the rest is. */
export function groupNotes(head: ReportHead, detailed: number): string[] {
  const { total } = head.summary;
  if (total === 0) return ['This report has no findings: none matched its selection when the snapshot was taken.'];
  const order =
    'Findings stand by severity; within it by status, open ones first, and then those first seen longest ago.';
  if (detailed >= total) return [order];
  return [
    order,
    `This report covers ${count(total, 'finding')}. The ${formatNumber(detailed)} gravest are told of in detail here; the full list, every finding with every field, is in the CSV export of the same report (${head.id}).`,
  ];
}
