import { isOpen, openStatuses, statuses } from '../findings/lifecycle.ts';
import type { ReportHead } from './report-model.ts';

/** Whether the filters let every open finding through, whatever its status. */
const tellsOfOpen = ({ filters }: ReportHead): boolean =>
  !filters.status || openStatuses.every((status) => filters.status!.includes(status));

/** Whether the filters let closed findings through: if they don't, that none is there says nothing. */
export const tellsOfClosed = ({ filters }: ReportHead): boolean =>
  !filters.status || statuses.every((status) => isOpen(status) || filters.status!.includes(status));

/** Whether the filters let every status through, so that what was opened can be set against what is open still. */
export const tellsOfEveryStatus = (head: ReportHead): boolean => tellsOfOpen(head) && tellsOfClosed(head);

/** Whether the weeks of the report tell how things went: not if findings are missing for what became of them since. */
export const tellsHistory = (head: ReportHead): boolean => tellsOfEveryStatus(head) && !head.filters.updated_from;

/** Whether findings are in it however long ago they were first seen. */
export const tellsOfAllTimes = ({ filters }: ReportHead): boolean => !filters.from && !filters.to;

/** Whether the filters let open findings through at all. */
export const tellsOfAnyOpen = ({ filters }: ReportHead): boolean => !filters.status || filters.status.some(isOpen);
