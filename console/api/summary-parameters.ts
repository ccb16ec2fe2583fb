import type { FindingStatus } from '@assay/client';

const openStatuses: FindingStatus[] = ['new', 'triaged', 'in_progress'];

/** The filter of the open findings, as in a URL. */
export const openFindings = { status: openStatuses.join() };

/** The open findings. The daily series counts all that opened and closed, whatever their status is now. */
export const openParameters = (days: number) => ({ status: openStatuses, days });
