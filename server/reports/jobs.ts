import { reportDeliveryJobs } from './deliveries/deliver-report.ts';
import { renderExportJob } from './exports/render-export.ts';
import { takeSnapshotJob } from './take-snapshot.ts';
import { takeUpReports } from './take-up-reports.ts';

export const reportJobs = [takeSnapshotJob, renderExportJob, ...reportDeliveryJobs];

export const reportTicks = [{ name: 'Resuming reports without a job', everyMs: 10_000, run: takeUpReports }];
