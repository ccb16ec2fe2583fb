import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import { type Criticality, criticalities } from '../data-sources/importance.ts';
import { dismisses, type Status } from './lifecycle.ts';

/** An organization's policy on the time to fix findings and on accepting their risks. */
export type Policy = {
  /** Days from the first sighting, or from the last reopening; null for no due date. */
  days_to_fix: Record<Severity, Record<Criticality, number | null>>;
  /** Extra days for findings in test code. */
  test_grace_days: number;
  accepted_risk: {
    /** The maximum number of days that a risk can be accepted for; null for no limit. */
    max_days: number | null;
    /** Whether a comment must state the reason. */
    reason_required: boolean;
  };
  decisions: {
    /** From this severity on, a second person approves what closes findings; null for never. */
    approval_from: Severity | null;
    /** The role from which people approve. */
    approvers: 'analyst' | 'admin';
    /** The role from which people request decisions. */
    who_may_request: 'viewer' | 'developer';
    /** The effect of decisions in the files of a repository. */
    repository_file: 'off' | 'request' | 'decide';
    /** The maximum number of days that a decision can hold; null for no limit. */
    longest_days: number | null;
    /** Whether what closes findings must name the class of its reason. */
    justification_required: boolean;
  };
};

/** The part of a policy that determines due dates. */
export type DueRules = Pick<Policy, 'days_to_fix' | 'test_grace_days'>;

const days = (low: number, medium: number, high: number, critical: number) => ({ low, medium, high, critical });

/** The policy of organizations without one. */
export const defaultPolicy: Policy = {
  days_to_fix: {
    critical: days(30, 15, 7, 3),
    high: days(60, 30, 15, 7),
    medium: days(180, 90, 60, 30),
    low: days(365, 180, 120, 90),
    info: { low: null, medium: null, high: null, critical: null },
  },
  test_grace_days: 30,
  accepted_risk: { max_days: null, reason_required: false },
  decisions: {
    approval_from: null,
    approvers: 'admin',
    who_may_request: 'developer',
    repository_file: 'decide',
    longest_days: null,
    justification_required: false,
  },
};

/** The facts that determine the due date of a finding. */
type Case = { severity: Severity; criticality: Criticality; inTests: boolean };

/** Returns the number of days to fix a finding; null for no due date. */
export function daysToFix(policy: DueRules, { severity, criticality, inTests }: Case): number | null {
  const days = policy.days_to_fix[severity][criticality];
  return days === null ? null : days + (inTests ? policy.test_grace_days : 0);
}

const dayMs = 86_400_000;

/** Returns the maximum number of days that a decision with this outcome can hold; null for no limit. */
export function longestDays({ accepted_risk, decisions }: Policy, outcome: string): number | null {
  const days = [decisions.longest_days, outcome === 'accepted_risk' ? accepted_risk.max_days : null];
  const limits = days.filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** Returns the latest end of a decision that begins now; null for no limit. */
export function latestEnd(policy: Policy, outcome: string): Date | null {
  const days = longestDays(policy, outcome);
  return days === null ? null : new Date(Date.now() + days * dayMs);
}

/** Whether a decision ends later than the policy allows. */
export function endsTooLate(policy: Policy, outcome: string, until: Date | null): boolean {
  const latest = latestEnd(policy, outcome);
  return latest !== null && (until === null || until > latest);
}

/** Whether a decision has no justification although the policy requires one. */
export const lacksJustification = (
  { decisions }: Policy,
  outcome: Status | 'demoted' | undefined,
  justification: string | null | undefined,
): boolean => decisions.justification_required && outcome !== 'demoted' && dismisses(outcome) && !justification;

/**
 * Returns when a finding is due, in milliseconds since the epoch: the days to fix, of 24 hours each, after it was first
 * seen or last reopened. Null if it is closed or has no due date.
 */
export function dueAt(
  policy: Policy,
  { closed, since, ...given }: Case & { closed: boolean; since: number },
): number | null {
  const days = closed ? null : daysToFix(policy, given);
  return days === null ? null : since + days * dayMs;
}

/**
 * Returns `daysToFix` of every case in the order that the database's `finding_due_at()` reads: by criticality from the
 * lowest, then other code before tests, then by severity from the lowest.
 */
export const daysTable = (policy: DueRules): Array<number | null> =>
  criticalities.flatMap((criticality) =>
    [false, true].flatMap((inTests) =>
      severities.toReversed().map((severity) => daysToFix(policy, { severity, criticality, inTests })),
    ),
  );
