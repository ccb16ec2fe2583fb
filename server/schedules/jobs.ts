import { scheduledReportTicks } from './fire-scheduled-reports.ts';
import { scanScheduleTicks } from './fire-schedules.ts';

export const scheduleTicks = [...scanScheduleTicks, ...scheduledReportTicks];
