import { type Severity, severities } from '../../findings/severity.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { wordingOf } from '../sentences/wording.ts';
import { type Block, heading, paragraph } from './blocks.ts';
import { fittedDetails } from './fit.ts';
import type { Targets } from './targets.ts';

/** Returns the findings with all their details, by severity; a severity without findings has no heading. */
export function detailedFindingBlocks(head: ReportHead, findings: ReportFinding[], targets: Targets): Block[] {
  const details = fittedDetails(findings, { ...head, targets });
  const bySeverity = Map.groupBy(details.keys(), (index) => findings[index]!.severity);
  return [
    heading(1, 'findings', wordingOf(head).say('heading.findings'), { newPage: head.summary.total > 0 }),
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
  const { say, severity: nameOf } = wordingOf(head);
  const all = head.summary.by_severity[severity];
  const cut = shown === 0 ? say('findings.details_in_csv') : say('findings.first_shown', { n: shown });
  const values = { n: all, open: head.open_by_severity[severity], rest: shown === all ? '' : cut };
  const title = say('heading.severity_findings', { severity: nameOf(severity), n: all });
  return [
    heading(2, `severity_${severity}`, title, { severity }),
    paragraph(say('findings.of_severity', values), 'note'),
  ];
}

/** Returns the paragraphs before the findings: their order, and where the rest is. */
function orderNotes(head: ReportHead, detailed: number): Block[] {
  const { say } = wordingOf(head);
  const { total } = head.summary;
  if (total === 0) return [paragraph(say('findings.none'))];
  const order = paragraph(say('findings.order'));
  if (detailed >= total) return [order];
  return [order, paragraph(say('findings.detailed', { total, n: detailed, id: head.id }))];
}
