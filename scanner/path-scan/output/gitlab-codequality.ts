import type { Severity } from '../../contract/severity.ts';
import type { ScanReportFormat } from './scan-report.ts';

const severities: Record<Severity, string> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

/** Writes GitLab's code quality report, which merge requests show beside the lines that they change. */
export const formatGitlabCodequality: ScanReportFormat = ({ findings }) =>
  JSON.stringify(
    findings.map(({ detection: { title, evidence, rule, fingerprint, severity, location } }) => ({
      description: evidence === null ? title : `${title}: ${evidence}`,
      check_name: rule.id,
      fingerprint,
      severity: severities[severity],
      location: { path: location.path ?? location.url ?? '.', lines: { begin: location.start_line ?? 1 } },
    })),
    null,
    2,
  );
