export { type Call, type Outcome, Page, type PageCall, type ResponseInfo } from './call.ts';
export { Assay, Assay as default } from './client.ts';
export { Content } from './content.ts';
export * from './errors.ts';
export type { ServerEvent } from './events.ts';
export type { ClientOptions, LogEntry, RequestOptions, WaitOptions } from './options.ts';
export type * from './params.ts';
export type { BodyOf } from './query.ts';
export type { Events } from './resources/events.ts';
export type { Findings } from './resources/findings.ts';
export type { Imports, UploadOptions } from './resources/imports.ts';
export type { Reports } from './resources/reports.ts';
export type { Scans } from './resources/scans.ts';
export type {
  AuditEvents,
  BulkOperations,
  DataSources,
  DetectionSources,
  Invitations,
  Members,
  OrganizationResource,
  Passkeys,
  PreferencesResource,
  ProfileResource,
  Rules,
  ScanSchedules,
  ScheduledReports,
  Sessions,
  Tags,
  Tokens,
  TwoFactor,
  Views,
} from './resources.ts';
export type * from './schema.ts';
export type { UploadProgress, UploadSource } from './upload.ts';
export { version } from './version.ts';
