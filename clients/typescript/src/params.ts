import type { operations } from './schema.ts';

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** Times in a query may be a Date too. */
type WithDates<T> = {
  [Name in keyof T]: Name extends 'from' | 'to' | `${string}_from` | `${string}_to` ? T[Name] | Date : T[Name];
};

/** The body of an operation. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

export type FindingListParams = WithDates<Query<'listFindings'>>;
export type FindingFollowParams = Omit<FindingListParams, 'sort' | 'limit' | 'next_cursor' | 'updated_from' | 'fields'>;
export type FindingSummaryParams = WithDates<Query<'summarizeFindings'>>;
export type FindingFacetsParams = WithDates<Query<'listFindingFacets'>>;
export type FindingCommentListParams = Query<'listFindingComments'>;
export type FindingHistoryParams = Query<'listFindingHistory'>;
export type DetectionSourceListParams = Query<'listDetectionSources'>;
export type ScanStartParams = Query<'startScan'>;
export type ScanListParams = WithDates<Query<'listScans'>>;
export type ScanTargetListParams = Query<'listScanTargets'>;
export type ReportDeliveryListParams = Query<'listReportDeliveries'>;
export type ScanScheduleListParams = Query<'listScanSchedules'>;
export type ReportListParams = Query<'listReports'>;
export type ReportExportParams = Query<'exportReport'>;
export type ScheduledReportListParams = Query<'listScheduledReports'>;
export type DataSourceListParams = Query<'listDataSources'>;
export type ImportParams = Omit<Query<'importResults'>, 'dry_run'>;
export type ImportByNameParams = Omit<Query<'importResultsByName'>, 'dry_run'>;
export type MemberListParams = Query<'listMembers'>;
export type MemberTokenListParams = Query<'listMemberTokens'>;
export type MemberSessionListParams = Query<'listMemberSessions'>;
export type InvitationListParams = Query<'listInvitations'>;
export type TokenListParams = Query<'listTokens'>;
export type SessionListParams = Query<'listSessions'>;
export type FailedSignInListParams = Query<'listFailedSignIns'>;
export type DataSourceSuggestionListParams = Query<'listDataSourceSuggestions'>;
export type FindingGroupListParams = WithDates<Query<'listFindingGroups'>>;
export type FindingExportParams = WithDates<Query<'exportFindings'>>;
export type FindingTimelineParams = Query<'listFindingTimeline'>;
export type RuleListParams = Query<'listRules'>;
export type TagListParams = Query<'listTags'>;
export type PasskeyListParams = Query<'listPasskeys'>;
export type PasskeyDeleteParams = Query<'deletePasskey'>;
export type AuditEventListParams = WithDates<Query<'listAuditEvents'>>;
export type BulkOperationListParams = Query<'listBulkOperations'>;
export type ViewListParams = Query<'listViews'>;
