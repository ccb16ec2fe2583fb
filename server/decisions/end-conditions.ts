import { type Severity, severityRank } from '@assay/scanner/contract/severity.ts';

/** The conditions that end a decision, spelled as in the API. */
const endConditions = ['kev', 'epss_above', 'severity_above', 'fix_available', 'version_changes'] as const;
export type EndCondition = (typeof endConditions)[number];

/** The reasons with which decisions end: conditions, and for those of repositories that their entry is gone, or the policy. */
export const endReasons = [...endConditions, 'removed', 'policy'] as const;
export type EndReason = (typeof endReasons)[number];

export type EndsWhen = {
  kev?: boolean | undefined;
  epss_above?: number | undefined;
  severity_above?: Severity | undefined;
  fix_available?: boolean | undefined;
  version_changes?: boolean | undefined;
};

/** The facts of a finding that end decisions. `severity` is a rank, `epss` a probability. */
export type EndingFacts = { kev: boolean; epss: number | null; severity: number; hasFix: boolean };

/** Returns the end condition that a finding in the scope of a decision meets; null if it meets none. */
export function metCondition(
  endsWhen: EndsWhen | null,
  { kev, epss, severity, hasFix }: EndingFacts,
  hasNewVersion: boolean,
): EndCondition | null {
  if (!endsWhen) return null;
  const { epss_above: epssAbove, severity_above: severityAbove } = endsWhen;
  const isMet: Record<EndCondition, boolean | undefined> = {
    kev: endsWhen.kev && kev,
    epss_above: epssAbove !== undefined && epss !== null && epss > epssAbove,
    severity_above: severityAbove !== undefined && severity > severityRank[severityAbove],
    fix_available: endsWhen.fix_available && hasFix,
    version_changes: endsWhen.version_changes && hasNewVersion,
  };
  return endConditions.find((condition) => isMet[condition]) ?? null;
}
