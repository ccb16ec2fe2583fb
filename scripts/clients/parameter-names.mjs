/** The names that all libraries have for the query parameters of an operation. */
export const parameterNames = {
  listFindings: 'FindingListParams',
  summarizeFindings: 'FindingSummaryParams',
  listFindingFacets: 'FindingFacetsParams',
  listFindingComments: 'FindingCommentListParams',
  listFindingHistory: 'FindingHistoryParams',
  listDetectionSources: 'DetectionSourceListParams',
  startScan: 'ScanStartParams',
  listScans: 'ScanListParams',
  listScanTargets: 'ScanTargetListParams',
  listScanSchedules: 'ScanScheduleListParams',
  listReports: 'ReportListParams',
  exportReport: 'ReportExportParams',
  listScheduledReports: 'ScheduledReportListParams',
  listDataSources: 'DataSourceListParams',
  importResults: 'ImportParams',
  listMembers: 'MemberListParams',
  listInvitations: 'InvitationListParams',
  listTokens: 'TokenListParams',
  listSessions: 'SessionListParams',
  listDataSourceSuggestions: 'DataSourceSuggestionListParams',
  listFindingGroups: 'FindingGroupListParams',
  listFindingTimeline: 'FindingTimelineParams',
  listRules: 'RuleListParams',
  listTags: 'TagListParams',
  listPasskeys: 'PasskeyListParams',
  listAuditEvents: 'AuditEventListParams',
  listBulkOperations: 'BulkOperationListParams',
  listViews: 'ViewListParams',
};

/** The query parameters of operations that methods set themselves. */
export const setByMethods = { importResults: ['dry_run'] };
