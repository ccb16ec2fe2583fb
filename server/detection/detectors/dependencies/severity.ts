import type { Severity as FindingSeverity } from '../../../findings/severity.ts';
import { severityFromCvss } from '../../../findings/severity.ts';
import { scoreOfVector } from '../../advisories/cvss.ts';
import type { Severity } from '../../contract/advisory.ts';
import type { Match } from './match.ts';

/** OSV's names for CVSS versions. Version 3 comes before 4, as for GitHub's reviewers and other scanners. */
const byPreference = ['CVSS_V3', 'CVSS_V4', 'CVSS_V2'];

const labels: Record<string, FindingSeverity> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MODERATE: 'medium',
  MEDIUM: 'medium',
  LOW: 'low',
};

/**
 * Returns the severity of a vulnerability: from the score of a CVSS vector if any advisory has one, else from the
 * reviewers' label. A malicious package is critical, an unmaintained one or a notice is info, and the default is
 * medium.
 */
export function severityOf({ names, advisories }: Match): { severity: FindingSeverity; score: number | null } {
  const score = scoreOf(
    advisories.flatMap(({ severity, affected }) => [...severity, ...affected.flatMap((part) => part.severity)]),
  );
  if (score !== null) return { severity: severityFromCvss(score), score };
  const label = advisories.map(({ severityLabel }) => labels[severityLabel ?? '']).find((known) => known !== undefined);
  if (label) return { severity: label, score };
  if (names.some((name) => name.startsWith('MAL-'))) return { severity: 'critical', score };
  const informational = advisories.flatMap(({ affected }) => affected.map((part) => part.informational));
  if (informational.length > 0 && informational.every((kind) => kind !== null)) {
    return { severity: informational.includes('unsound') ? 'low' : 'info', score };
  }
  return { severity: 'medium', score };
}

function scoreOf(vectors: Severity[]): number | null {
  for (const type of byPreference) {
    const scores = vectors.filter((vector) => vector.type === type).flatMap(({ score }) => scoreOfVector(score) ?? []);
    if (scores.length > 0) return Math.max(...scores);
  }
  return null;
}
