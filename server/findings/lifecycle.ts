/** The statuses of a finding, open ones first. */
export const statuses = ['new', 'triaged', 'in_progress', 'resolved', 'false_positive', 'accepted_risk'] as const;
export type Status = (typeof statuses)[number];
export type Resolution = 'fixed' | 'data_source_removed';

export const openStatuses: readonly Status[] = ['new', 'triaged', 'in_progress'];

export const isOpen = (status: Status): boolean => openStatuses.includes(status);

/** Whether two ends of an acceptance (milliseconds, null for none) are the same in the API, which shows seconds. */
export const isSameEnd = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && Math.floor(a / 1_000) === Math.floor(b / 1_000));

/** The statuses that say that nothing will be done about a finding. A person who sets one makes a decision about it. */
type Dismissal = 'false_positive' | 'accepted_risk';

export const dismisses = (status: Status | undefined): status is Dismissal =>
  status === 'false_positive' || status === 'accepted_risk';

export type Judgement = 'dismissed' | 'confirmed';

/** Returns how a person judges a finding by setting its status; null for one that is new again. */
export function judgementOf(status: Status): Judgement | null {
  if (status === 'new') return null;
  return status === 'false_positive' ? 'dismissed' : 'confirmed';
}

/** The part of a finding that its lifecycle changes. Times are milliseconds since the epoch. */
export type Lifecycle = {
  status: Status;
  /** Why the platform resolved it; null if a person did, or if it is not resolved. */
  resolution: Resolution | null;
  closedAt: number | null;
  acceptedUntil: number | null;
  /**
   * The end of a risk acceptance that applies again if the problem returns after it was resolved as fixed; Infinity for
   * no end. Null for all other findings.
   */
  acceptedAgainUntil: number | null;
  reopenedCount: number;
  /** Whether the last completed scan of its data source and source saw it. */
  seenLast: boolean;
};

export const firstSighting: Lifecycle = {
  status: 'new',
  resolution: null,
  closedAt: null,
  acceptedUntil: null,
  acceptedAgainUntil: null,
  reopenedCount: 0,
  seenLast: true,
};

/** The current time may have been read before a wait for a row lock. The wait is at most this long. */
const lockWaitMs = 5 * 60_000;

/**
 * Returns the finding after a scan saw it. Only a resolved finding reopens, as a regression. False positives and
 * accepted risks keep their status, and a risk that was accepted before it was fixed is accepted again. A finding that
 * was resolved after the scan started stays resolved: the scan may have read the state before the fix. A closing time
 * well after `at`, the current time, comes from a clock that was set back and is ignored.
 */
export function sighted(finding: Lifecycle, scanStartedAt: number, at: number): Lifecycle {
  const closedAt = finding.closedAt ?? 0;
  const regressed = finding.status === 'resolved' && (closedAt < scanStartedAt || closedAt > at + lockWaitMs);
  if (!regressed) return finding.seenLast ? finding : { ...finding, seenLast: true };
  const until = finding.acceptedAgainUntil;
  if (until !== null && until > at) {
    const acceptedUntil = until === Number.POSITIVE_INFINITY ? null : until;
    return { ...finding, ...accepted, acceptedUntil, closedAt: at, seenLast: true };
  }
  return { ...firstSighting, reopenedCount: finding.reopenedCount + 1 };
}

const accepted = { status: 'accepted_risk', resolution: null, acceptedAgainUntil: null } as const;

/**
 * Returns the finding after a scan covered its place and missed it. Open findings and accepted risks become resolved;
 * the acceptance is stored in case the problem returns. A false positive stays one.
 */
export function missed(finding: Lifecycle, at: number): Lifecycle {
  const wasAccepted = finding.status === 'accepted_risk';
  if (!isOpen(finding.status) && !wasAccepted) return { ...finding, seenLast: false };
  const acceptedAgainUntil = wasAccepted ? (finding.acceptedUntil ?? Number.POSITIVE_INFINITY) : null;
  const resolved = { status: 'resolved', resolution: 'fixed', closedAt: at, acceptedUntil: null } as const;
  return { ...finding, ...resolved, acceptedAgainUntil, seenLast: false };
}

/**
 * Returns the finding after a person set its status; every transition is allowed. Setting the current status changes
 * only `acceptedUntil`.
 */
export function decided(
  finding: Lifecycle,
  status: Status,
  at: number,
  acceptedUntil: number | null = null,
): Lifecycle {
  if (status === finding.status) return status === 'accepted_risk' ? { ...finding, acceptedUntil } : finding;
  return {
    ...finding,
    status,
    resolution: null,
    acceptedAgainUntil: null,
    closedAt: isOpen(status) ? null : isOpen(finding.status) ? at : finding.closedAt,
    acceptedUntil: status === 'accepted_risk' ? acceptedUntil : null,
  };
}

/** Returns the finding as new again if its risk acceptance has ended at `at`. */
export function acceptanceEnded(finding: Lifecycle, at: number): Lifecycle {
  if (finding.status !== 'accepted_risk' || finding.acceptedUntil === null || finding.acceptedUntil > at)
    return finding;
  return { ...finding, status: 'new', closedAt: null, acceptedUntil: null };
}

/** Returns the finding after its data source was deleted: an open one can no longer be fixed and is resolved. */
export function dataSourceRemoved(finding: Lifecycle, at: number): Lifecycle {
  if (!isOpen(finding.status)) return finding;
  return { ...finding, status: 'resolved', resolution: 'data_source_removed', closedAt: at, acceptedUntil: null };
}

/** The ways in which a finding stops being open; `removed` means that its data source was deleted. */
export const closings = ['resolved', 'removed', 'accepted', 'false_positive'] as const;
export const moves = ['new', 'reopened', ...closings] as const;
export type Closing = (typeof closings)[number];
export type Move = (typeof moves)[number];

const closingOf: Record<Exclude<Status, 'new' | 'triaged' | 'in_progress'>, Closing> = {
  resolved: 'resolved',
  accepted_risk: 'accepted',
  false_positive: 'false_positive',
};

/**
 * Returns how a change opened or closed a finding; null if it did neither. A finding that is closed when first seen was
 * never open, and one that is closed in another way keeps its first closing.
 */
export function moveBetween(
  from: Pick<Lifecycle, 'status' | 'resolution'> | null,
  to: Pick<Lifecycle, 'status' | 'resolution'>,
): Move | null {
  const wasOpen = from !== null && isOpen(from.status);
  if (isOpen(to.status)) return wasOpen ? null : from === null ? 'new' : 'reopened';
  if (!wasOpen) return null;
  return to.resolution === 'data_source_removed' ? 'removed' : closingOf[to.status as keyof typeof closingOf];
}
