import type { FindingStatus } from '@assay/client';

const openStatuses: FindingStatus[] = ['new', 'triaged', 'in_progress'];

/** The filter of the open findings, in the form of a URL. */
export const openFindings = { status: openStatuses.join() };

/**
 * The open findings. The daily series counts all findings that opened and closed, regardless of their current status.
 */
export const openParameters = (days: number) => ({ status: openStatuses, days });
