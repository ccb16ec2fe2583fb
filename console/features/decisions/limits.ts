import type { DecisionOutcome, Policy } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { serverNow } from '../../api/clock.ts';
import { policyQuery } from '../../api/policy.ts';

const dayMs = 86_400_000;
/** The time that a decision may take to arrive: the server counts the longest time from then. */
const marginMs = 60_000;

export type Limits = {
  /** The maximum number of days that a decision can hold; null for no limit. */
  longest: number | null;
  needsJustification: boolean;
  needsReason: boolean;
};

/** Returns what the policy asks of decisions with this outcome. */
function limitsOf(policy: Policy | undefined, outcome: DecisionOutcome): Limits {
  const accepts = outcome === 'accepted_risk';
  const days = [policy?.decisions.longest_days, accepts ? policy?.accepted_risk.max_days : null];
  const limits = days.filter((limit) => typeof limit === 'number');
  return {
    longest: limits.length === 0 ? null : Math.min(...limits),
    needsJustification:
      (accepts || outcome === 'false_positive') && (policy?.decisions.justification_required ?? false),
    needsReason: accepts && (policy?.accepted_risk.reason_required ?? false),
  };
}

export const useLimits = (outcome: DecisionOutcome): Limits => limitsOf(useQuery(policyQuery).data, outcome);

const textOf = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** The time after a number of days. */
export const inDays = (days: number): string => textOf(serverNow() + days * dayMs);

/** The latest end that a limit allows; null for no end. */
export const latestEnd = (longest: number | null): string | null =>
  longest === null ? null : textOf(serverNow() + longest * dayMs - marginMs);

/** The end of a day, such as `2027-01-31`, at which a decision ends. */
export const endOfDay = (day: string): string => `${day}T23:59:59Z`;

/** The last day at whose end a decision may end; undefined for no limit. */
export const latestDay = (longest: number | null): string | undefined =>
  latestEnd(longest === null ? null : longest - 1)?.slice(0, 10);

/** Says what is wrong with the day on which a decision ends; null if the policy allows it. */
export function refusedDay(day: string, longest: number | null): string | null {
  const latest = latestDay(longest);
  if (day === '')
    return latest === undefined ? null : `Enter a day: your policy lets it hold for ${longest} days at most.`;
  if (day < textOf(serverNow()).slice(0, 10)) return 'Enter a day that is not over.';
  return latest !== undefined && day > latest ? `Your policy lets it hold for ${longest} days at most.` : null;
}
