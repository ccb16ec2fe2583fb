import { reportDeliveryJobs } from './deliveries/deliver-report.ts';
import { renderExportJob } from './exports/render-export.ts';
import { takeSnapshotJob } from './snapshots/take-snapshot.ts';

export const reportJobs = [takeSnapshotJob, renderExportJob, ...reportDeliveryJobs];
