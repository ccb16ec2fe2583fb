import { requestJobs } from './decisions/announce-requests.ts';
import { mergeDecisions } from './decisions/apply-decisions.ts';
import { bulkJobs, bulkTicks } from './decisions/bulk/jobs.ts';
import { decisionJobs, decisionTicks } from './decisions/jobs.ts';
import { advisoryTick } from './detection/advisories/tick.ts';
import { importJobs, importTicks } from './detection/imports/jobs.ts';
import { detectionJobs, detectionTicks } from './detection/scans/jobs.ts';
import type { DetectionServices } from './detection/services.ts';
import { findingTicks } from './findings/jobs.ts';
import { policyJobs, policyTicks } from './findings/policy/jobs.ts';
import { identityJobs, identityTicks } from './identity/jobs.ts';
import type { HeadChannel } from './organization/audit/heads/channels.ts';
import { organizationJobs, organizationTicks } from './organization/jobs.ts';
import { type BackupServices, backupJobs, backupTicks } from './platform/backup/scheduled-backup.ts';
import { httpTicks } from './platform/http/jobs.ts';
import type { JobRunnerOptions } from './platform/jobs/job-runner.ts';
import type { JobDefinition } from './platform/jobs/jobs.ts';
import type { Mailer } from './platform/mail/mail.ts';
import type { Replicas } from './platform/postgres/replicas/replicas.ts';
import { roomTicks } from './platform/room/jobs.ts';
import { reportJobs, reportTicks } from './reports/jobs.ts';
import type { RenderSettings } from './reports/writers/format.ts';
import { scheduleTicks } from './schedules/jobs.ts';

/** The services that jobs use. */
export type WorkerServices = DetectionServices &
  BackupServices & {
    mailer: Mailer;
    baseUrl: string;
    headChannels: HeadChannel[];
    replicas: Replicas | null;
  } & RenderSettings;

/** Jobs that may take long, one line for each list. */
// biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
export const jobs: JobDefinition<WorkerServices, any>[] = [...detectionJobs, ...importJobs, ...backupJobs];

/**
 * Jobs that a person waits for. They run in parallel to the others, so that no long scan delays a report or a mail.
 */
// biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
export const promptJobs: JobDefinition<WorkerServices, any>[] = [
  ...organizationJobs,
  ...identityJobs,
  ...bulkJobs,
  ...decisionJobs,
  ...requestJobs,
  ...policyJobs(mergeDecisions),
  ...reportJobs,
];

/** Periodic work on organizations: runs in each cell, with the cell's own database. */
export const cellTicks: JobRunnerOptions<WorkerServices>['ticks'] = [
  ...detectionTicks,
  ...importTicks,
  ...findingTicks,
  ...bulkTicks,
  ...decisionTicks,
  ...policyTicks,
  ...reportTicks,
  ...scheduleTicks,
  ...organizationTicks,
];

/** Periodic work of the whole installation. */
export const ticks: JobRunnerOptions<WorkerServices>['ticks'] = [
  advisoryTick,
  ...identityTicks,
  ...httpTicks,
  ...roomTicks,
  ...backupTicks,
];
