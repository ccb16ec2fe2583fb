import { type Severity, severityRank } from '../../contract/severity.ts';
import type { PathScanResult } from '../scan-path.ts';

/** The result of a scan from the command line, for any format. */
export type ScanReport = PathScanResult & {
  /** Findings in the baseline. */
  known: PathScanResult['findings'];
  version: string;
  at: Date;
};

/** Writes a report as one string without a final line break. */
export type ScanReportFormat = (report: ScanReport, options: { color: boolean; width: number }) => string;

/** Sorts by severity, the most severe first, then by location, so that equal scans produce equal texts. */
export function sortFindings(findings: PathScanResult['findings']): PathScanResult['findings'] {
  const keyOf = ({ detection }: PathScanResult['findings'][number]) =>
    `${9 - severityRank[detection.severity]} ${detection.location.path ?? ''} ${String(detection.location.start_line ?? 0).padStart(9, '0')} ${detection.fingerprint}`;
  return findings
    .map((finding) => ({ finding, key: keyOf(finding) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ finding }) => finding);
}

export function isAtLeast(severity: Severity, bound: Severity): boolean {
  return severityRank[severity] >= severityRank[bound];
}
