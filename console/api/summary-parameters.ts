import type { FindingStatus } from '@assay/client';

export const openStatuses: FindingStatus[] = ['new', 'triaged', 'in_progress'];

/** The open findings. The daily series counts all that opened and closed, whatever their status is now. */
export const openParameters = (days: number) => ({ status: openStatuses, days });
