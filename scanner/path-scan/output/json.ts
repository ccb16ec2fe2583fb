import { contextOf } from '../../contract/test-path.ts';
import type { SourceFinding } from '../scan-path.ts';
import type { ScanReport, ScanReportFormat } from './scan-report.ts';

/** Writes findings as the API returns them, with `places` but without ids, since nothing is stored. */
function toFindings({ target, at }: ScanReport, findings: SourceFinding[]) {
  const time = `${at.toISOString().slice(0, 19)}Z`;
  return findings.map(({ source, detection: { suppression, ...detection } }) => ({
    title: detection.title,
    description: detection.description,
    severity: detection.severity,
    scanner_severity: detection.scanner_severity ?? null,
    status: suppression?.status ?? 'new',
    source,
    data_source: { name: target.name, kind: target.kind },
    rule: detection.rule,
    location: detection.location,
    places: detection.places,
    identifiers: detection.identifiers,
    cvss_score: detection.cvss_score,
    confidence: detection.confidence ?? null,
    evidence: detection.evidence,
    code: detection.code ?? null,
    flow: detection.flow ?? null,
    fix: detection.fix ?? null,
    remediation: detection.remediation,
    references: detection.references,
    tags: [],
    assignee: null,
    fingerprint: detection.fingerprint,
    occurrences: detection.occurrences,
    comment_count: 0,
    context: contextOf(detection.location.path, detection.places),
    first_seen_at: time,
    last_seen_at: time,
    updated_at: time,
    closed_at: null,
    ...(suppression && { reason: suppression.reason }),
  }));
}

/** An array of the findings. It has no information about coverage: see `toReport`. */
export const formatJson: ScanReportFormat = (report) => JSON.stringify(toFindings(report, report.findings), null, 2);

/**
 * Returns everything that a scan found, including findings that comments accept (`ignored`) or that are in the baseline
 * (`known`), and its coverage, from which an import derives the findings that are gone.
 */
export const toReport = (report: ScanReport) => ({
  findings: toFindings(report, report.findings),
  warnings: report.warnings,
  ignored: toFindings(report, report.ignored),
  known: toFindings(report, report.known),
  coverage: report.coverage,
  tool: { name: 'Assay', version: report.version },
});
