import { isOpen, openStatuses, statuses } from '../findings/lifecycle.ts';
import type { ReportHead } from './report-model.ts';

/** Returns whether the filters let through the open findings of every status. */
const coversOpen = ({ filters }: ReportHead): boolean =>
  !filters.status || openStatuses.every((status) => filters.status!.includes(status));

/** Returns whether the filters let through closed findings. If not, their absence means nothing. */
export const coversClosed = ({ filters }: ReportHead): boolean =>
  !filters.status || statuses.every((status) => isOpen(status) || filters.status!.includes(status));

/** Returns whether the filters let through every status, so that opened findings can be compared with open ones. */
export const coversEveryStatus = (head: ReportHead): boolean => coversOpen(head) && coversClosed(head);

/** Returns whether the weeks of the report are complete: no findings are missing because of later changes. */
export const coversHistory = (head: ReportHead): boolean => coversEveryStatus(head) && !head.filters.updated_from;

/** Returns whether the filters let through findings first seen at any time. */
export const coversAllTimes = ({ filters }: ReportHead): boolean => !filters.from && !filters.to;

/** Returns whether the filters let through any open findings. */
export const coversAnyOpen = ({ filters }: ReportHead): boolean => !filters.status || filters.status.some(isOpen);
