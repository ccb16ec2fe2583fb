import { isInTests } from '../../../findings/test-path.ts';
import type { ScanReport, ScanReportFormat } from './scan-report.ts';

/** Writes findings as the API returns them, with `places` and without ids, since nothing was stored. */
export function toFindings({ findings, target, at }: ScanReport) {
  const time = `${at.toISOString().slice(0, 19)}Z`;
  return findings.map(({ source, detection }) => ({
    title: detection.title,
    description: detection.description,
    severity: detection.severity,
    status: 'new',
    source,
    data_source: { name: target.name, kind: target.kind },
    rule: detection.rule,
    location: detection.location,
    places: detection.places,
    identifiers: detection.identifiers,
    cvss_score: detection.cvss_score,
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
    context: isInTests(detection.location.path, detection.places) ? 'test' : null,
    first_seen_at: time,
    last_seen_at: time,
    updated_at: time,
    closed_at: null,
  }));
}

export const formatJson: ScanReportFormat = (report) => JSON.stringify(toFindings(report), null, 2);
