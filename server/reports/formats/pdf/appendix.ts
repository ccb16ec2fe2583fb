import { type Status, statuses } from '../../../findings/lifecycle.ts';
import { type Severity, severities } from '../../../findings/severity.ts';
import { formatMoment, severityNames, statusNames } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';

const severityMeanings: Record<Severity, string> = {
  critical: 'Can be used now, without special access, and does great damage. Act at once. CVSS 9.0 to 10.0.',
  high: 'Likely to be used, or does great damage. Act within days. CVSS 7.0 to 8.9.',
  medium: 'Needs further circumstances, or does limited damage. Plan it. CVSS 4.0 to 6.9.',
  low: 'Hardly of use by itself; may help with something else. CVSS 0.1 to 3.9.',
  info: 'Worth knowing; not a weakness by itself.',
};

const statusMeanings: Record<Status, string> = {
  new: 'Open. Nobody has looked at it yet, or it came back.',
  triaged: 'Open. Somebody looked at it and holds it for real.',
  in_progress: 'Open. Somebody works on it.',
  resolved: 'Closed. A scan no longer finds it, somebody says that it is fixed, or what it was found in was removed.',
  false_positive: 'Closed. Somebody judged that it is not a problem.',
  accepted_risk: 'Closed. Somebody decided to live with it, often until a certain day; then it is new again.',
};

export type Appendix = {
  paragraphs: string[];
  severities: Array<{ word: string; meaning: string }>;
  statuses: Array<{ word: string; meaning: string }>;
};

/** How to read the report, for whoever did not make it. */
export function appendix(head: ReportHead): Appendix {
  return {
    paragraphs: [
      `This report is a snapshot: it tells what was known on ${formatMoment(head.taken_at)}, and does not change when findings do. Each of its exports (PDF, DOCX, CSV, JSON, SARIF, OCSF) tells of the same findings. Its number is ${head.id}.`,
      'A finding is one problem in one data source, however often scans see it. Where it stands in several places, they are counted and the first of them listed. Times are UTC. Secrets in evidence were made unreadable when they were found. A character that no font of this document has is shown as \uFFFD.',
    ],
    severities: severities.map((severity) => ({ word: severityNames[severity], meaning: severityMeanings[severity] })),
    statuses: statuses.map((status) => ({ word: statusNames[status], meaning: statusMeanings[status] })),
  };
}
