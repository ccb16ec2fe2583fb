import { type Status, statuses } from '../../../findings/lifecycle.ts';
import { type Severity, severities } from '../../../findings/severity.ts';
import { formatMoment, severityNames, statusNames } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';

const severityMeanings: Record<Severity, string> = {
  critical: 'Exploitable now without special access, with severe impact. Act at once. CVSS 9.0 to 10.0.',
  high: 'Likely to be exploited, or with severe impact. Act within days. CVSS 7.0 to 8.9.',
  medium: 'Exploitable only under further conditions, or with limited impact. Plan a fix. CVSS 4.0 to 6.9.',
  low: 'Hardly exploitable by itself, but may contribute to another attack. CVSS 0.1 to 3.9.',
  info: 'Worth knowing; not a weakness by itself.',
};

const statusMeanings: Record<Status, string> = {
  new: 'Open. Not reviewed yet, or open again after it was closed.',
  triaged: 'Open. Reviewed and confirmed.',
  in_progress: 'Open. Being fixed.',
  resolved: 'Closed. A scan no longer finds it, a person marked it as fixed, or its data source was removed.',
  false_positive: 'Closed. A person decided that it is not a problem.',
  accepted_risk: 'Closed. A person accepted the risk, often until a set date, after which the finding is new again.',
};

export type Appendix = {
  paragraphs: string[];
  severities: Array<{ word: string; meaning: string }>;
  statuses: Array<{ word: string; meaning: string }>;
};

/** Explains the report to readers who did not create it. */
export function appendix(head: ReportHead): Appendix {
  return {
    paragraphs: [
      `This report is a snapshot: it shows what was known on ${formatMoment(head.taken_at)} and does not change afterwards. All its exports (PDF, DOCX, CSV, JSON, SARIF, OCSF) are made from this snapshot. Its id is ${head.id}.`,
      'A finding is one problem in one data source, however often scans see it. If it occurs in several places, the report counts them and lists the first ones. Times are in UTC. Secrets in evidence were redacted when they were found. A character that no font of this document contains is shown as \uFFFD.',
    ],
    severities: severities.map((severity) => ({ word: severityNames[severity], meaning: severityMeanings[severity] })),
    statuses: statuses.map((status) => ({ word: statusNames[status], meaning: statusMeanings[status] })),
  };
}
