/** The statuses of a finding, open ones first. */
export const statuses = ['new', 'triaged', 'in_progress', 'resolved', 'false_positive', 'accepted_risk'] as const;
export type Status = (typeof statuses)[number];
export type Resolution = 'fixed' | 'data_source_removed';

export const openStatuses: readonly Status[] = ['new', 'triaged', 'in_progress'];

export const isOpen = (status: Status): boolean => openStatuses.includes(status);

/**
 * What the lifecycle knows of a finding: the part that scans and people move. Times are milliseconds since the epoch.
 */
export type Lifecycle = {
  status: Status;
  /** Why a scan or a removal resolved it; null when a person did, or when it is not resolved. */
  resolution: Resolution | null;
  closedAt: number | null;
  acceptedUntil: number | null;
  reopenedCount: number;
  /** Whether the last completed scan of its data source and source saw it. */
  seenLast: boolean;
};

export const firstSighting: Lifecycle = {
  status: 'new',
  resolution: null,
  closedAt: null,
  acceptedUntil: null,
  reopenedCount: 0,
  seenLast: true,
};

/** The present may have been read before waiting for a row's lock, which takes no longer than this. */
const lockWaitMs = 5 * 60_000;

/**
 * A scan sees the finding. Only a resolved one reopens, as a regression; false positives and accepted risks stay as a
 * person set them. A finding that was resolved after the scan began stays resolved: the scan may have read the state
 * before the fix. A time of closing well after `at`, the present, comes from a clock that was set back and does not
 * count.
 */
export function sighted(finding: Lifecycle, scanStartedAt: number, at: number): Lifecycle {
  const closedAt = finding.closedAt ?? 0;
  const regressed = finding.status === 'resolved' && (closedAt < scanStartedAt || closedAt > at + lockWaitMs);
  if (!regressed) return finding.seenLast ? finding : { ...finding, seenLast: true };
  return { ...firstSighting, reopenedCount: finding.reopenedCount + 1 };
}

/** A scan that surely covered the finding's place no longer sees it. Closes open ones; leaves people's decisions. */
export function missed(finding: Lifecycle, at: number): Lifecycle {
  if (!isOpen(finding.status)) return { ...finding, seenLast: false };
  return { ...finding, status: 'resolved', resolution: 'fixed', closedAt: at, acceptedUntil: null, seenLast: false };
}

/**
 * A person sets a status, any from any. Setting the one it has changes nothing but `acceptedUntil`, when that is given.
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
    closedAt: isOpen(status) ? null : isOpen(finding.status) ? at : finding.closedAt,
    acceptedUntil: status === 'accepted_risk' ? acceptedUntil : null,
  };
}

/** The time until which the risk was accepted has come: the finding is new again. */
export function acceptanceEnded(finding: Lifecycle, at: number): Lifecycle {
  if (finding.status !== 'accepted_risk' || finding.acceptedUntil === null || finding.acceptedUntil > at)
    return finding;
  return { ...finding, status: 'new', closedAt: null, acceptedUntil: null };
}

/** The data source was deleted: what is open there can't be fixed any more. */
export function dataSourceRemoved(finding: Lifecycle, at: number): Lifecycle {
  if (!isOpen(finding.status)) return finding;
  return { ...finding, status: 'resolved', resolution: 'data_source_removed', closedAt: at, acceptedUntil: null };
}
