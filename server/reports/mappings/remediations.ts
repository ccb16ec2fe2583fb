import { knownWeakness } from '../../findings/standards/known-rules.ts';
import { weaknessNumber } from '../../findings/standards/weaknesses.ts';
import type { ReportLanguage } from '../report-document.ts';
import type { ReportFinding } from '../report-model.ts';
import { tables } from '../sentences/wording.ts';

/** Returns how a weakness is fixed in general, for tools that do not say it; undefined for an unknown one. */
export function remediationOf(identifier: string, language: ReportLanguage): string | undefined {
  const number = weaknessNumber(identifier);
  const table: Record<string, string> = tables[language];
  return number === undefined ? undefined : table[`remediation.${number}`];
}

/** Returns how to fix a finding: what its tool says, or else what fixes its weakness in general; null when neither is known. */
export function remediationFor(
  finding: Pick<ReportFinding, 'remediation' | 'identifiers' | 'source' | 'rule' | 'location'>,
  language: ReportLanguage,
): string | null {
  if (finding.remediation !== null) return finding.remediation;
  const { identifiers, source, rule, location } = finding;
  const isPackage = location.package !== null;
  // For a package, the upgrade is the remedy, whatever the weakness in it.
  const named = isPackage ? undefined : identifiers.map(weaknessNumber).find((number) => number !== undefined);
  const number = named ?? knownWeakness({ source, ruleId: rule.id, isPackage });
  return number === undefined ? null : (remediationOf(`CWE-${number}`, language) ?? null);
}
