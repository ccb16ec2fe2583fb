import { choose } from '../findings/filters/negation.ts';
import { isOpen, openStatuses, statuses } from '../findings/lifecycle.ts';
import type { ReportHead } from './report-model.ts';

type Filtered = Pick<ReportHead, 'filters'>;
const chosenStatuses = ({ filters }: Filtered) => choose(statuses, filters.status) ?? statuses;

/** Returns whether the filters include the open findings of every status. */
const coversOpen = (head: Filtered): boolean => openStatuses.every((status) => chosenStatuses(head).includes(status));

/** Returns whether the filters include closed findings. If not, their absence means nothing. */
export const coversClosed = (head: Filtered): boolean =>
  statuses.every((status) => isOpen(status) || chosenStatuses(head).includes(status));

/** Returns whether the filters include every status, so that opened findings can be compared with open ones. */
export const coversEveryStatus = (head: Filtered): boolean => coversOpen(head) && coversClosed(head);

/** Returns whether the history of the open findings is complete: no finding is missing because of later changes. */
export const coversHistory = (head: Filtered): boolean =>
  coversOpen(head) && !head.filters.updated_from && !head.filters.updated_to;

/** Returns whether the filters include findings first seen at any time. */
export const coversAllTimes = ({ filters }: Filtered): boolean => !filters.from && !filters.to;

/** Returns whether the filters include any open findings. */
export const coversAnyOpen = (head: ReportHead): boolean => chosenStatuses(head).some(isOpen);
