import { type Severity, severities } from '../../../findings/severity.ts';
import { count, formatNumber, listed, severityNames } from '../../labels.ts';
import { detailedFindings, type ReportFinding, type ReportHead, type ReportModel } from '../../report-model.ts';
import { type ContentsEntry, contentsHeading } from './contents.ts';
import { findingXml } from './finding.ts';
import { textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import type { Xml } from './xml.ts';

/** How many findings of each severity the document tells of: the most severe ones, as many as it may. */
export function toldBySeverity(head: ReportHead): Record<Severity, number> {
  let room = detailedFindings;
  const told = { ...head.summary.by_severity };
  for (const severity of severities) {
    told[severity] = Math.min(told[severity], room);
    room -= told[severity];
  }
  return told;
}

/** The entry of a severity in the contents. */
export const severityEntry = (severity: Severity, head: ReportHead): ContentsEntry => ({
  level: 2,
  text: `${severityNames[severity]}: ${count(head.summary.by_severity[severity], 'finding')}`,
  bookmark: `severity_${severity}`,
});

/** The findings by severity, as they come. */
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

/** The first ones; the others are read and left, so that nobody writes into a stream that is closed. */
async function* upTo(batches: AsyncIterable<ReportFinding[]>, most: number): AsyncGenerator<ReportFinding> {
  let left = most;
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
      'The most severe first; within a severity open ones first, and of those the oldest first.',
    );
  return textParagraph(
    'BodyText',
    `The ${formatNumber(detailedFindings)} most severe of ${formatNumber(total)} findings are told in detail here: the most ` +
      'severe first; within a severity open ones first, and of those the oldest first. The CSV export of this report holds all of them.',
  );
}

function shortened(severity: Severity, head: ReportHead): Xml {
  const told = toldBySeverity(head)[severity];
  const all = head.summary.by_severity[severity];
  if (told === all) return '';
  return textParagraph(
    'Note',
    `The first ${formatNumber(told)} of ${formatNumber(all)}; the others are in the CSV export of this report.`,
  );
}

/** What the details leave out. */
function ending(head: ReportHead): Xml {
  const told = toldBySeverity(head);
  const { total, by_severity: all } = head.summary;
  const missing = severities
    .filter((severity) => told[severity] < all[severity])
    .map((severity) => `${formatNumber(all[severity] - told[severity])} ${severityNames[severity].toLowerCase()}`);
  if (missing.length === 0) return '';
  return textParagraph(
    'Note',
    `Not told in detail: ${listed(missing)}, ${count(total - detailedFindings, 'finding')} in all. The CSV export of this report holds them.`,
  );
}
