import { mergeImport } from './detection/imports/merge-import.ts';
import { purgeImportBatches } from './detection/imports/queries.ts';
import { detectionJobs, detectionTicks } from './detection/scans/jobs.ts';
import type { DetectionServices } from './detection/services.ts';
import { identityTicks } from './identity/jobs.ts';
import { sendInvitation } from './organization/jobs.ts';
import { purgeIdempotencyKeys } from './platform/http/idempotency-queries.ts';
import type { JobDefinition, JobRunnerOptions } from './platform/jobs.ts';
import type { Mailer } from './platform/mail/mail.ts';
import { reportDeliveryJobs } from './reports/deliveries/deliver-report.ts';
import { renderExportJob } from './reports/exports/render-export.ts';
import { takeSnapshotJob } from './reports/snapshots/take-snapshot.ts';
import { scheduledReportTicks } from './schedules/fire-scheduled-reports.ts';
import { scheduleTicks } from './schedules/fire-schedules.ts';

/** What jobs work with. */
export type WorkerServices = DetectionServices & { mailer: Mailer; baseUrl: string };

/** Every job, one line a slice. */
// biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
export const jobs: JobDefinition<WorkerServices, any>[] = [...detectionJobs, mergeImport];

/** Jobs that somebody waits for, done beside the others: scans that take all of the night hold up no report and no mail. */
// biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
export const promptJobs: JobDefinition<WorkerServices, any>[] = [
  takeSnapshotJob,
  renderExportJob,
  ...reportDeliveryJobs,
  sendInvitation,
];

const purgeExpiredKeys = {
  name: 'Removing expired idempotency keys',
  everyMs: 60_000,
  run: async ({ database }: WorkerServices) => {
    await purgeIdempotencyKeys(database);
  },
};

const purgeAbandonedImports = {
  name: 'Removing what unfinished imports left',
  everyMs: 600_000,
  run: ({ database }: WorkerServices) => purgeImportBatches(database, 6 * 3_600_000),
};

/** What is done every so often. */
export const ticks: JobRunnerOptions<WorkerServices>['ticks'] = [
  ...detectionTicks,
  ...scheduleTicks,
  ...scheduledReportTicks,
  ...identityTicks,
  purgeExpiredKeys,
  purgeAbandonedImports,
];
