import { formatDay, formatMoment } from '../../labels.ts';
import type { ReportFinding } from '../../report-model.ts';

/** Returns when and how a finding was closed. */
export function closing(finding: ReportFinding): string {
  return `${formatMoment(finding.closed_at!)}: ${reason(finding)}`;
}

function reason({ status, resolution, accepted_until: until }: ReportFinding): string {
  if (status === 'false_positive') return 'a person marked it as a false positive.';
  if (status === 'accepted_risk')
    return until === null
      ? 'a person accepted the risk, with no expiry date.'
      : `a person accepted the risk until ${formatDay(until)}.`;
  if (resolution === 'fixed') return 'a scan that covered its location no longer found it.';
  if (resolution === 'data_source_removed') return 'its data source was removed.';
  return 'a person marked it as resolved.';
}
