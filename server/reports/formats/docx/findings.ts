import { type Severity, severities } from '../../../findings/severity.ts';
import { count, formatNumber, listed, severityNames } from '../../labels.ts';
import { detailedFindings, type ReportFinding, type ReportHead, type ReportModel } from '../../report-model.ts';
import { type ContentsEntry, contentsHeading } from './contents.ts';
import { findingXml } from './finding.ts';
import { textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import type { Xml } from './xml.ts';

/** Returns how many findings of each severity the document shows in detail. */
export function detailedBySeverity(head: ReportHead): Record<Severity, number> {
  let room = detailedFindings;
  const detailed = { ...head.summary.by_severity };
  for (const severity of severities) {
    detailed[severity] = Math.min(detailed[severity], room);
    room -= detailed[severity];
  }
  return detailed;
}

/** Returns the entry of a severity in the contents. */
export const severityEntry = (severity: Severity, head: ReportHead): ContentsEntry => ({
  level: 2,
  text: `${severityNames[severity]}: ${count(head.summary.by_severity[severity], 'finding')}`,
  bookmark: `severity_${severity}`,
});

/** Yields the findings by severity. */
export async function* findingsXml({ head, findings }: ReportModel, references: References): AsyncGenerator<Xml> {
  yield intro(head);
  let current: Severity | null = null;
  for await (const finding of upTo(findings, detailedFindings)) {
    if (finding.severity !== current) {
      current = finding.severity;
      yield contentsHeading(severityEntry(current, head), references) + shortened(current, head);
    }
    yield findingXml(finding, head, references);
  }
  yield ending(head);
}

/**
 * Yields the first `max` findings. The others are read and dropped, so that the sender does not write to a closed
 * stream.
 */
async function* upTo(batches: AsyncIterable<ReportFinding[]>, max: number): AsyncGenerator<ReportFinding> {
  let left = max;
  for await (const batch of batches) {
    yield* batch.slice(0, Math.max(left, 0));
    left -= batch.length;
  }
}

function intro(head: ReportHead): Xml {
  const { total } = head.summary;
  if (total === 0) return textParagraph('BodyText', 'This report covers no findings.');
  if (total <= detailedFindings)
    return textParagraph(
      'BodyText',
      'Findings are sorted by severity, then by status (open first), then by the time they were first seen (oldest first).',
    );
  return textParagraph(
    'BodyText',
    `The ${formatNumber(detailedFindings)} most severe of ${formatNumber(total)} findings are shown in detail here, sorted by ` +
      'severity, then by status (open first), then by the time they were first seen (oldest first). The CSV export of this report contains all of them.',
  );
}

function shortened(severity: Severity, head: ReportHead): Xml {
  const detailed = detailedBySeverity(head)[severity];
  const all = head.summary.by_severity[severity];
  if (detailed === all) return '';
  return textParagraph(
    'Note',
    `The first ${formatNumber(detailed)} of ${formatNumber(all)}; the others are in the CSV export of this report.`,
  );
}

/** Says which findings are not shown in detail. */
function ending(head: ReportHead): Xml {
  const detailed = detailedBySeverity(head);
  const { total, by_severity: all } = head.summary;
  const missing = severities
    .filter((severity) => detailed[severity] < all[severity])
    .map((severity) => `${formatNumber(all[severity] - detailed[severity])} ${severityNames[severity].toLowerCase()}`);
  if (missing.length === 0) return '';
  return textParagraph(
    'Note',
    `Not shown in detail: ${listed(missing)}, ${count(total - detailedFindings, 'finding')} in total. The CSV export of this report contains them.`,
  );
}
