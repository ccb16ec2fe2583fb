import type { Criticality, Policy, Severity } from '@assay/client';

/** A policy while it is edited: numbers as typed. */
export type PolicyDraft = {
  days: Record<Severity, Record<Criticality, string>>;
  grace: string;
  longest: string;
  stale: string;
  reasonRequired: boolean;
  longestDecision: string;
  decisions: Omit<Policy['decisions'], 'longest_days'>;
};

const maxDays = 3650;
const maxStaleDays = 365;

const textOf = (days: number | null): string => (days === null ? '' : String(days));

/** Returns whether a text is a number of days, or empty for none. */
export const isDays = (text: string): boolean =>
  text.trim() === '' || (/^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= maxDays);

const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

type Days = Record<Severity, Record<Criticality, string>>;

const mapDays = <From, To>(
  days: Record<Severity, Record<Criticality, From>>,
  map: (value: From) => To,
): Record<Severity, Record<Criticality, To>> =>
  Object.fromEntries(
    Object.entries(days).map(([severity, row]) => [
      severity,
      Object.fromEntries(Object.entries(row).map(([criticality, value]) => [criticality, map(value)])),
    ]),
  ) as Record<Severity, Record<Criticality, To>>;

export const draftOf = ({
  days_to_fix,
  test_grace_days,
  accepted_risk,
  stale_after_days,
  decisions,
}: Policy): PolicyDraft => ({
  days: mapDays(days_to_fix, textOf),
  grace: String(test_grace_days),
  longest: textOf(accepted_risk.max_days),
  stale: String(stale_after_days),
  reasonRequired: accepted_risk.reason_required,
  longestDecision: textOf(decisions.longest_days),
  decisions,
});

const areDays = (days: Days): boolean => Object.values(days).every((row) => Object.values(row).every(isDays));

/** Returns the policy of a draft; null while a number is missing or out of bounds. */
export function policyOf({
  days,
  grace,
  longest,
  stale,
  reasonRequired,
  longestDecision,
  decisions,
}: PolicyDraft): Omit<Policy, 'sign_in'> | null {
  if (
    !areDays(days) ||
    !isDays(longest) ||
    !isDays(longestDecision) ||
    !(grace.trim() === '0' || (grace.trim() !== '' && isDays(grace)))
  )
    return null;
  if (!isDays(stale) || stale.trim() === '' || Number(stale) > maxStaleDays) return null;
  return {
    days_to_fix: mapDays(days, daysOf),
    test_grace_days: Number(grace),
    stale_after_days: Number(stale),
    accepted_risk: { max_days: daysOf(longest), reason_required: reasonRequired },
    decisions: { ...decisions, longest_days: daysOf(longestDecision) },
  };
}
