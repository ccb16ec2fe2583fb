export { type Call, type Outcome, Page, type PageCall, type ResponseInfo } from './call.ts';
export { Assay, Assay as default } from './client.ts';
export { Content } from './content.ts';
export * from './errors.ts';
export type { ServerEvent } from './events.ts';
export type { ClientOptions, LogEntry, RequestOptions, WaitOptions } from './options.ts';
export type * from './params.ts';
export type { AuditEvents } from './resources/audit-events.ts';
export type { BulkOperations } from './resources/bulk-operations.ts';
export type { DataSources } from './resources/data-sources.ts';
export type { DetectionSources } from './resources/detection-sources.ts';
export type { Events } from './resources/events.ts';
export type { Findings } from './resources/findings.ts';
export type { Imports, UploadOptions } from './resources/imports.ts';
export type { Invitations, Members, Organization as OrganizationResource } from './resources/organization.ts';
export type {
  Passkeys,
  PreferencesResource,
  Profile as ProfileResource,
  Sessions,
  Tokens,
  TwoFactor,
} from './resources/profile.ts';
export type { Reports } from './resources/reports.ts';
export type { Rules } from './resources/rules.ts';
export type { ScanSchedules } from './resources/scan-schedules.ts';
export type { Scans } from './resources/scans.ts';
export type { ScheduledReports } from './resources/scheduled-reports.ts';
export type { Tags } from './resources/tags.ts';
export type { Views } from './resources/views.ts';
export type * from './schema.ts';
export type { UploadProgress, UploadSource } from './upload.ts';
export { version } from './version.ts';
