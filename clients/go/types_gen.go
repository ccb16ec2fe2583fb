// Code generated from openapi.json and surface.json by scripts/generate-clients.mjs. DO NOT EDIT.
// Sources 7c5328a376d88950, content eb774040e2f78f54.

package assay

import (
	"encoding/json"
	"time"
)

const (
	AuditActionAccountClaimed              AuditAction = "account.claimed"
	AuditActionAccountDisabled             AuditAction = "account.disabled"
	AuditActionAccountEmailChanged         AuditAction = "account.email_changed"
	AuditActionAccountEnabled              AuditAction = "account.enabled"
	AuditActionAccountJoined               AuditAction = "account.joined"
	AuditActionAccountPasskeyAdded         AuditAction = "account.passkey_added"
	AuditActionAccountPasskeyRemoved       AuditAction = "account.passkey_removed"
	AuditActionAccountPasswordChanged      AuditAction = "account.password_changed"
	AuditActionAccountPasswordRecovered    AuditAction = "account.password_recovered"
	AuditActionAccountPasswordReset        AuditAction = "account.password_reset"
	AuditActionAccountRecoveryCodeUsed     AuditAction = "account.recovery_code_used"
	AuditActionAccountRecoveryCodesRenewed AuditAction = "account.recovery_codes_renewed"
	AuditActionAccountRenamed              AuditAction = "account.renamed"
	AuditActionAccountSessionEnded         AuditAction = "account.session_ended"
	AuditActionAccountSessionsEnded        AuditAction = "account.sessions_ended"
	AuditActionAccountSignInFailed         AuditAction = "account.sign_in_failed"
	AuditActionAccountSignedIn             AuditAction = "account.signed_in"
	AuditActionAccountSignedOut            AuditAction = "account.signed_out"
	AuditActionAccountTwoFactorEnabled     AuditAction = "account.two_factor_enabled"
	AuditActionAccountTwoFactorRemoved     AuditAction = "account.two_factor_removed"
	AuditActionAccountTwoFactorReplaced    AuditAction = "account.two_factor_replaced"
	AuditActionAccountTwoFactorReset       AuditAction = "account.two_factor_reset"
	AuditActionAuditLogExported            AuditAction = "audit_log.exported"
	AuditActionDataSourceCreated           AuditAction = "data_source.created"
	AuditActionDataSourceDeleted           AuditAction = "data_source.deleted"
	AuditActionDataSourceUpdated           AuditAction = "data_source.updated"
	AuditActionDecisionApproved            AuditAction = "decision.approved"
	AuditActionDecisionCreated             AuditAction = "decision.created"
	AuditActionDecisionRejected            AuditAction = "decision.rejected"
	AuditActionDecisionRequested           AuditAction = "decision.requested"
	AuditActionDecisionUpdated             AuditAction = "decision.updated"
	AuditActionDecisionWithdrawn           AuditAction = "decision.withdrawn"
	AuditActionFeedRequested               AuditAction = "feed.requested"
	AuditActionFeedUploaded                AuditAction = "feed.uploaded"
	AuditActionFindingsExported            AuditAction = "findings.exported"
	AuditActionFindingsUpdateUndone        AuditAction = "findings.update_undone"
	AuditActionFindingsUpdated             AuditAction = "findings.updated"
	AuditActionInvitationAccepted          AuditAction = "invitation.accepted"
	AuditActionInvitationCreated           AuditAction = "invitation.created"
	AuditActionInvitationResent            AuditAction = "invitation.resent"
	AuditActionInvitationRevoked           AuditAction = "invitation.revoked"
	AuditActionMemberAdded                 AuditAction = "member.added"
	AuditActionMemberJoined                AuditAction = "member.joined"
	AuditActionMemberRemoved               AuditAction = "member.removed"
	AuditActionMemberRoleChanged           AuditAction = "member.role_changed"
	AuditActionMemberSessionsEnded         AuditAction = "member.sessions_ended"
	AuditActionOrganizationCreated         AuditAction = "organization.created"
	AuditActionOrganizationLimitsChanged   AuditAction = "organization.limits_changed"
	AuditActionOrganizationUpdated         AuditAction = "organization.updated"
	AuditActionPolicyUpdated               AuditAction = "policy.updated"
	AuditActionReportCreated               AuditAction = "report.created"
	AuditActionReportDeleted               AuditAction = "report.deleted"
	AuditActionReportExported              AuditAction = "report.exported"
	AuditActionReportStateChanged          AuditAction = "report.state_changed"
	AuditActionScanCancelled               AuditAction = "scan.cancelled"
	AuditActionScanScheduleCreated         AuditAction = "scan_schedule.created"
	AuditActionScanScheduleDeleted         AuditAction = "scan_schedule.deleted"
	AuditActionScanScheduleUpdated         AuditAction = "scan_schedule.updated"
	AuditActionScheduledReportCreated      AuditAction = "scheduled_report.created"
	AuditActionScheduledReportDeleted      AuditAction = "scheduled_report.deleted"
	AuditActionScheduledReportUpdated      AuditAction = "scheduled_report.updated"
	AuditActionTokenCreated                AuditAction = "token.created"
	AuditActionTokenRevoked                AuditAction = "token.revoked"
	AuditActionViewDeleted                 AuditAction = "view.deleted"
	AuditActionViewShared                  AuditAction = "view.shared"
	AuditActionViewUnshared                AuditAction = "view.unshared"
	AuditActionViewUpdated                 AuditAction = "view.updated"
)

const (
	AuditActorTypeSystem AuditActorType = "system"
	AuditActorTypeToken  AuditActorType = "token"
	AuditActorTypeUser   AuditActorType = "user"
)

const (
	AuditFormatCSV  AuditFormat = "csv"
	AuditFormatJSON AuditFormat = "json"
)

const (
	BulkOperationStatusCompleted BulkOperationStatus = "completed"
	BulkOperationStatusFailed    BulkOperationStatus = "failed"
	BulkOperationStatusQueued    BulkOperationStatus = "queued"
	BulkOperationStatusRunning   BulkOperationStatus = "running"
	BulkOperationStatusUndoing   BulkOperationStatus = "undoing"
	BulkOperationStatusUndone    BulkOperationStatus = "undone"
)

const (
	ChangeActorKindScan   ChangeActorKind = "scan"
	ChangeActorKindSystem ChangeActorKind = "system"
	ChangeActorKindUser   ChangeActorKind = "user"
)

const (
	CheckNameBackup    CheckName = "backup"
	CheckNameClock     CheckName = "clock"
	CheckNameDatabase  CheckName = "database"
	CheckNameFeeds     CheckName = "feeds"
	CheckNameJobs      CheckName = "jobs"
	CheckNameReplicas  CheckName = "replicas"
	CheckNameRoles     CheckName = "roles"
	CheckNameRoom      CheckName = "room"
	CheckNameSchedules CheckName = "schedules"
	CheckNameSchema    CheckName = "schema"
)

const (
	CheckStateFailed  CheckState = "failed"
	CheckStateOK      CheckState = "ok"
	CheckStateWarning CheckState = "warning"
)

const (
	ClosedNothingCodeCancelled      ClosedNothingCode = "cancelled"
	ClosedNothingCodeFailed         ClosedNothingCode = "failed"
	ClosedNothingCodeIncomplete     ClosedNothingCode = "incomplete"
	ClosedNothingCodeNotRequested   ClosedNothingCode = "not_requested"
	ClosedNothingCodeNothingMissing ClosedNothingCode = "nothing_missing"
	ClosedNothingCodeOvertaken      ClosedNothingCode = "overtaken"
)

const (
	ConnectionCodeAuthenticationFailed ConnectionCode = "authentication_failed"
	ConnectionCodeBranchNotFound       ConnectionCode = "branch_not_found"
	ConnectionCodeEmpty                ConnectionCode = "empty"
	ConnectionCodeFailed               ConnectionCode = "failed"
	ConnectionCodeHostNotFound         ConnectionCode = "host_not_found"
	ConnectionCodeInvalidCredential    ConnectionCode = "invalid_credential"
	ConnectionCodeNotFound             ConnectionCode = "not_found"
	ConnectionCodeOK                   ConnectionCode = "ok"
	ConnectionCodeRefused              ConnectionCode = "refused"
	ConnectionCodeTimeout              ConnectionCode = "timeout"
	ConnectionCodeUnavailable          ConnectionCode = "unavailable"
	ConnectionCodeUnreachable          ConnectionCode = "unreachable"
	ConnectionCodeUntrusted            ConnectionCode = "untrusted"
)

const (
	CriticalityCritical Criticality = "critical"
	CriticalityHigh     Criticality = "high"
	CriticalityLow      Criticality = "low"
	CriticalityMedium   Criticality = "medium"
)

const (
	CriticalityFilterCritical    CriticalityFilter = "critical"
	CriticalityFilterHigh        CriticalityFilter = "high"
	CriticalityFilterLow         CriticalityFilter = "low"
	CriticalityFilterMedium      CriticalityFilter = "medium"
	CriticalityFilterNotCritical CriticalityFilter = "-critical"
	CriticalityFilterNotHigh     CriticalityFilter = "-high"
	CriticalityFilterNotLow      CriticalityFilter = "-low"
	CriticalityFilterNotMedium   CriticalityFilter = "-medium"
)

const (
	DataSourceKindContainerImage DataSourceKind = "container_image"
	DataSourceKindGitRepository  DataSourceKind = "git_repository"
	DataSourceKindHost           DataSourceKind = "host"
	DataSourceKindUpload         DataSourceKind = "upload"
	DataSourceKindWebsite        DataSourceKind = "website"
)

const (
	DataSourceSortCreatedAt               DataSourceSort = "created_at"
	DataSourceSortCreatedAtDescending     DataSourceSort = "-created_at"
	DataSourceSortLastScannedAt           DataSourceSort = "last_scanned_at"
	DataSourceSortLastScannedAtDescending DataSourceSort = "-last_scanned_at"
	DataSourceSortName                    DataSourceSort = "name"
	DataSourceSortNameDescending          DataSourceSort = "-name"
	DataSourceSortOpenFindings            DataSourceSort = "open_findings"
	DataSourceSortOpenFindingsDescending  DataSourceSort = "-open_findings"
	DataSourceSortStatus                  DataSourceSort = "status"
	DataSourceSortStatusDescending        DataSourceSort = "-status"
)

const (
	DataSourceStatusFailed       DataSourceStatus = "failed"
	DataSourceStatusNeverScanned DataSourceStatus = "never_scanned"
	DataSourceStatusOK           DataSourceStatus = "ok"
	DataSourceStatusPartial      DataSourceStatus = "partial"
	DataSourceStatusStale        DataSourceStatus = "stale"
)

const (
	DecisionApproversAdmin   DecisionApprovers = "admin"
	DecisionApproversAnalyst DecisionApprovers = "analyst"
)

const (
	DecisionApproversInputAdmin   DecisionApproversInput = "admin"
	DecisionApproversInputAnalyst DecisionApproversInput = "analyst"
)

const (
	DecisionEndReasonEpssAbove      DecisionEndReason = "epss_above"
	DecisionEndReasonFixAvailable   DecisionEndReason = "fix_available"
	DecisionEndReasonKev            DecisionEndReason = "kev"
	DecisionEndReasonPolicy         DecisionEndReason = "policy"
	DecisionEndReasonRemoved        DecisionEndReason = "removed"
	DecisionEndReasonSeverityAbove  DecisionEndReason = "severity_above"
	DecisionEndReasonVersionChanges DecisionEndReason = "version_changes"
)

const (
	DecisionJustificationBusinessAcceptance                          DecisionJustification = "business_acceptance"
	DecisionJustificationCompensatingControl                         DecisionJustification = "compensating_control"
	DecisionJustificationComponentNotPresent                         DecisionJustification = "component_not_present"
	DecisionJustificationInlineMitigationsAlreadyExist               DecisionJustification = "inline_mitigations_already_exist"
	DecisionJustificationOther                                       DecisionJustification = "other"
	DecisionJustificationTestOrExample                               DecisionJustification = "test_or_example"
	DecisionJustificationVulnerableCodeCannotBeControlledByAdversary DecisionJustification = "vulnerable_code_cannot_be_controlled_by_adversary"
	DecisionJustificationVulnerableCodeNotInExecutePath              DecisionJustification = "vulnerable_code_not_in_execute_path"
	DecisionJustificationVulnerableCodeNotPresent                    DecisionJustification = "vulnerable_code_not_present"
)

const (
	DecisionOriginPerson     DecisionOrigin = "person"
	DecisionOriginRepository DecisionOrigin = "repository"
	DecisionOriginTool       DecisionOrigin = "tool"
)

const (
	DecisionOutcomeAcceptedRisk  DecisionOutcome = "accepted_risk"
	DecisionOutcomeDemoted       DecisionOutcome = "demoted"
	DecisionOutcomeFalsePositive DecisionOutcome = "false_positive"
	DecisionOutcomeTriaged       DecisionOutcome = "triaged"
)

const (
	DecisionRequestersDeveloper DecisionRequesters = "developer"
	DecisionRequestersViewer    DecisionRequesters = "viewer"
)

const (
	DecisionRequestersInputDeveloper DecisionRequestersInput = "developer"
	DecisionRequestersInputViewer    DecisionRequestersInput = "viewer"
)

const (
	DecisionStatusActive    DecisionStatus = "active"
	DecisionStatusEnded     DecisionStatus = "ended"
	DecisionStatusExpired   DecisionStatus = "expired"
	DecisionStatusRejected  DecisionStatus = "rejected"
	DecisionStatusRequested DecisionStatus = "requested"
	DecisionStatusWithdrawn DecisionStatus = "withdrawn"
)

const (
	DensityComfortable Density = "comfortable"
	DensityCompact     Density = "compact"
)

const (
	DetectionSourceModePush DetectionSourceMode = "push"
	DetectionSourceModeScan DetectionSourceMode = "scan"
)

const (
	DetectionSourceStatusConnected   DetectionSourceStatus = "connected"
	DetectionSourceStatusUnavailable DetectionSourceStatus = "unavailable"
)

const (
	ErrorPlaceBody   ErrorPlace = "body"
	ErrorPlaceHeader ErrorPlace = "header"
	ErrorPlacePath   ErrorPlace = "path"
	ErrorPlaceQuery  ErrorPlace = "query"
)

const (
	ExportLanguageDe ExportLanguage = "de"
	ExportLanguageEn ExportLanguage = "en"
)

const (
	ExportStandardA2A ExportStandard = "a-2a"
	ExportStandardUa1 ExportStandard = "ua-1"
)

const (
	ExposureInternal Exposure = "internal"
	ExposurePublic   Exposure = "public"
)

const (
	FacetFieldAssignee      FacetField = "assignee"
	FacetFieldConfidence    FacetField = "confidence"
	FacetFieldCriticality   FacetField = "criticality"
	FacetFieldDataSource    FacetField = "data_source"
	FacetFieldDataSourceTag FacetField = "data_source_tag"
	FacetFieldIdentifier    FacetField = "identifier"
	FacetFieldOwner         FacetField = "owner"
	FacetFieldRule          FacetField = "rule"
	FacetFieldSeverity      FacetField = "severity"
	FacetFieldSource        FacetField = "source"
	FacetFieldStatus        FacetField = "status"
	FacetFieldTag           FacetField = "tag"
)

const (
	FailedSignInMethodCode         FailedSignInMethod = "code"
	FailedSignInMethodConfirmation FailedSignInMethod = "confirmation"
	FailedSignInMethodLink         FailedSignInMethod = "link"
	FailedSignInMethodPasskey      FailedSignInMethod = "passkey"
	FailedSignInMethodPassword     FailedSignInMethod = "password"
	FailedSignInMethodRecoveryCode FailedSignInMethod = "recovery_code"
	FailedSignInMethodSingleSignOn FailedSignInMethod = "single_sign_on"
)

const (
	FindingConfidenceHigh   FindingConfidence = "high"
	FindingConfidenceLow    FindingConfidence = "low"
	FindingConfidenceMedium FindingConfidence = "medium"
)

const (
	FindingConfidenceFilterHigh      FindingConfidenceFilter = "high"
	FindingConfidenceFilterLow       FindingConfidenceFilter = "low"
	FindingConfidenceFilterMedium    FindingConfidenceFilter = "medium"
	FindingConfidenceFilterNone      FindingConfidenceFilter = "none"
	FindingConfidenceFilterNotHigh   FindingConfidenceFilter = "-high"
	FindingConfidenceFilterNotLow    FindingConfidenceFilter = "-low"
	FindingConfidenceFilterNotMedium FindingConfidenceFilter = "-medium"
	FindingConfidenceFilterNotNone   FindingConfidenceFilter = "-none"
)

const (
	FindingContextExample FindingContext = "example"
	FindingContextTest    FindingContext = "test"
)

const (
	FindingContextFilterExample    FindingContextFilter = "example"
	FindingContextFilterNone       FindingContextFilter = "none"
	FindingContextFilterNotExample FindingContextFilter = "-example"
	FindingContextFilterNotNone    FindingContextFilter = "-none"
	FindingContextFilterNotTest    FindingContextFilter = "-test"
	FindingContextFilterTest       FindingContextFilter = "test"
)

const (
	FindingExportFormatCSV  FindingExportFormat = "csv"
	FindingExportFormatJSON FindingExportFormat = "json"
	FindingExportFormatXlsx FindingExportFormat = "xlsx"
)

const (
	FindingExportSortDueAt                 FindingExportSort = "due_at"
	FindingExportSortFirstSeenAt           FindingExportSort = "first_seen_at"
	FindingExportSortFirstSeenAtDescending FindingExportSort = "-first_seen_at"
	FindingExportSortPriorityDescending    FindingExportSort = "-priority"
	FindingExportSortRelevance             FindingExportSort = "relevance"
	FindingExportSortSeverityDescending    FindingExportSort = "-severity"
	FindingExportSortUpdatedAt             FindingExportSort = "updated_at"
	FindingExportSortUpdatedAtDescending   FindingExportSort = "-updated_at"
)

const (
	FindingFieldAcceptedUntil   FindingField = "accepted_until"
	FindingFieldAssignee        FindingField = "assignee"
	FindingFieldCVSSScore       FindingField = "cvss_score"
	FindingFieldClosedAt        FindingField = "closed_at"
	FindingFieldCode            FindingField = "code"
	FindingFieldCommentCount    FindingField = "comment_count"
	FindingFieldConfidence      FindingField = "confidence"
	FindingFieldContext         FindingField = "context"
	FindingFieldDataSource      FindingField = "data_source"
	FindingFieldDecision        FindingField = "decision"
	FindingFieldDescription     FindingField = "description"
	FindingFieldDueAt           FindingField = "due_at"
	FindingFieldEpss            FindingField = "epss"
	FindingFieldEpssPercentile  FindingField = "epss_percentile"
	FindingFieldEvidence        FindingField = "evidence"
	FindingFieldFingerprint     FindingField = "fingerprint"
	FindingFieldFirstSeenAt     FindingField = "first_seen_at"
	FindingFieldFix             FindingField = "fix"
	FindingFieldFlow            FindingField = "flow"
	FindingFieldID              FindingField = "id"
	FindingFieldIdentifiers     FindingField = "identifiers"
	FindingFieldKev             FindingField = "kev"
	FindingFieldLastSeenAt      FindingField = "last_seen_at"
	FindingFieldLocation        FindingField = "location"
	FindingFieldNumber          FindingField = "number"
	FindingFieldOccurrences     FindingField = "occurrences"
	FindingFieldPriority        FindingField = "priority"
	FindingFieldPriorityReasons FindingField = "priority_reasons"
	FindingFieldReferences      FindingField = "references"
	FindingFieldRemediation     FindingField = "remediation"
	FindingFieldReopenedCount   FindingField = "reopened_count"
	FindingFieldResolution      FindingField = "resolution"
	FindingFieldRule            FindingField = "rule"
	FindingFieldScannerSeverity FindingField = "scanner_severity"
	FindingFieldSeverity        FindingField = "severity"
	FindingFieldSource          FindingField = "source"
	FindingFieldStandards       FindingField = "standards"
	FindingFieldStatus          FindingField = "status"
	FindingFieldTags            FindingField = "tags"
	FindingFieldTitle           FindingField = "title"
	FindingFieldURL             FindingField = "url"
	FindingFieldUpdatedAt       FindingField = "updated_at"
	FindingFieldVersion         FindingField = "version"
)

const (
	FindingGroupingDataSource FindingGrouping = "data_source"
	FindingGroupingPackage    FindingGrouping = "package"
	FindingGroupingRule       FindingGrouping = "rule"
)

const (
	FindingResolutionDataSourceRemoved FindingResolution = "data_source_removed"
	FindingResolutionFixed             FindingResolution = "fixed"
)

const (
	FindingSortDueAt                 FindingSort = "due_at"
	FindingSortFirstSeenAt           FindingSort = "first_seen_at"
	FindingSortFirstSeenAtDescending FindingSort = "-first_seen_at"
	FindingSortPriorityDescending    FindingSort = "-priority"
	FindingSortRelevance             FindingSort = "relevance"
	FindingSortSeverityDescending    FindingSort = "-severity"
	FindingSortUpdatedAt             FindingSort = "updated_at"
	FindingSortUpdatedAtDescending   FindingSort = "-updated_at"
)

const (
	FindingStatusAcceptedRisk  FindingStatus = "accepted_risk"
	FindingStatusFalsePositive FindingStatus = "false_positive"
	FindingStatusInProgress    FindingStatus = "in_progress"
	FindingStatusNew           FindingStatus = "new"
	FindingStatusResolved      FindingStatus = "resolved"
	FindingStatusTriaged       FindingStatus = "triaged"
)

const (
	FindingStatusFilterAcceptedRisk     FindingStatusFilter = "accepted_risk"
	FindingStatusFilterFalsePositive    FindingStatusFilter = "false_positive"
	FindingStatusFilterInProgress       FindingStatusFilter = "in_progress"
	FindingStatusFilterNew              FindingStatusFilter = "new"
	FindingStatusFilterNotAcceptedRisk  FindingStatusFilter = "-accepted_risk"
	FindingStatusFilterNotFalsePositive FindingStatusFilter = "-false_positive"
	FindingStatusFilterNotInProgress    FindingStatusFilter = "-in_progress"
	FindingStatusFilterNotNew           FindingStatusFilter = "-new"
	FindingStatusFilterNotResolved      FindingStatusFilter = "-resolved"
	FindingStatusFilterNotTriaged       FindingStatusFilter = "-triaged"
	FindingStatusFilterResolved         FindingStatusFilter = "resolved"
	FindingStatusFilterTriaged          FindingStatusFilter = "triaged"
)

const (
	FindingSuggestionFilterIdentifier FindingSuggestionFilter = "identifier"
	FindingSuggestionFilterPackage    FindingSuggestionFilter = "package"
	FindingSuggestionFilterRule       FindingSuggestionFilter = "rule"
)

const (
	ImportFormatASFF          ImportFormat = "asff"
	ImportFormatAcunetix      ImportFormat = "acunetix"
	ImportFormatAssay         ImportFormat = "assay"
	ImportFormatBandit        ImportFormat = "bandit"
	ImportFormatBrakeman      ImportFormat = "brakeman"
	ImportFormatBurp          ImportFormat = "burp"
	ImportFormatCargoAudit    ImportFormat = "cargo-audit"
	ImportFormatCheckmarx     ImportFormat = "checkmarx"
	ImportFormatCheckov       ImportFormat = "checkov"
	ImportFormatCyclonedx     ImportFormat = "cyclonedx"
	ImportFormatDefender      ImportFormat = "defender"
	ImportFormatDetectSecrets ImportFormat = "detect-secrets"
	ImportFormatDockle        ImportFormat = "dockle"
	ImportFormatGeneric       ImportFormat = "generic"
	ImportFormatGithub        ImportFormat = "github"
	ImportFormatGitlab        ImportFormat = "gitlab"
	ImportFormatGitleaks      ImportFormat = "gitleaks"
	ImportFormatGosec         ImportFormat = "gosec"
	ImportFormatGovulncheck   ImportFormat = "govulncheck"
	ImportFormatGrype         ImportFormat = "grype"
	ImportFormatHadolint      ImportFormat = "hadolint"
	ImportFormatInspector     ImportFormat = "inspector"
	ImportFormatKICS          ImportFormat = "kics"
	ImportFormatMobsf         ImportFormat = "mobsf"
	ImportFormatNPMAudit      ImportFormat = "npm-audit"
	ImportFormatNessus        ImportFormat = "nessus"
	ImportFormatNexpose       ImportFormat = "nexpose"
	ImportFormatNikto         ImportFormat = "nikto"
	ImportFormatNmap          ImportFormat = "nmap"
	ImportFormatNuclei        ImportFormat = "nuclei"
	ImportFormatOCSF          ImportFormat = "ocsf"
	ImportFormatOpenvas       ImportFormat = "openvas"
	ImportFormatOsvScanner    ImportFormat = "osv-scanner"
	ImportFormatPipAudit      ImportFormat = "pip-audit"
	ImportFormatProwler       ImportFormat = "prowler"
	ImportFormatQualys        ImportFormat = "qualys"
	ImportFormatSARIF         ImportFormat = "sarif"
	ImportFormatSPDX          ImportFormat = "spdx"
	ImportFormatScoutsuite    ImportFormat = "scoutsuite"
	ImportFormatSemgrep       ImportFormat = "semgrep"
	ImportFormatSnyk          ImportFormat = "snyk"
	ImportFormatSonarqube     ImportFormat = "sonarqube"
	ImportFormatTestssl       ImportFormat = "testssl"
	ImportFormatTfsec         ImportFormat = "tfsec"
	ImportFormatTrivy         ImportFormat = "trivy"
	ImportFormatTrufflehog    ImportFormat = "trufflehog"
	ImportFormatVeracode      ImportFormat = "veracode"
	ImportFormatWiz           ImportFormat = "wiz"
	ImportFormatZAP           ImportFormat = "zap"
)

const (
	InvitationStatusAccepted InvitationStatus = "accepted"
	InvitationStatusExpired  InvitationStatus = "expired"
	InvitationStatusPending  InvitationStatus = "pending"
	InvitationStatusRevoked  InvitationStatus = "revoked"
)

const (
	LastScanStatusFailed  LastScanStatus = "failed"
	LastScanStatusOK      LastScanStatus = "ok"
	LastScanStatusPartial LastScanStatus = "partial"
	LastScanStatusStale   LastScanStatus = "stale"
)

const (
	OrganizationPlanDefault    OrganizationPlan = "default"
	OrganizationPlanEnterprise OrganizationPlan = "enterprise"
)

const (
	PermissionCodeAuditRead             PermissionCode = "audit:read"
	PermissionCodeFindingsComment       PermissionCode = "findings:comment"
	PermissionCodeFindingsRead          PermissionCode = "findings:read"
	PermissionCodeFindingsWrite         PermissionCode = "findings:write"
	PermissionCodeImportsWrite          PermissionCode = "imports:write"
	PermissionCodeInstallationRead      PermissionCode = "installation:read"
	PermissionCodeOrganizationRead      PermissionCode = "organization:read"
	PermissionCodeOrganizationWrite     PermissionCode = "organization:write"
	PermissionCodeOwnersWrite           PermissionCode = "owners:write"
	PermissionCodePreferencesWrite      PermissionCode = "preferences:write"
	PermissionCodeReportsRead           PermissionCode = "reports:read"
	PermissionCodeReportsWrite          PermissionCode = "reports:write"
	PermissionCodeScansRead             PermissionCode = "scans:read"
	PermissionCodeScansWrite            PermissionCode = "scans:write"
	PermissionCodeScheduledReportsWrite PermissionCode = "scheduled_reports:write"
	PermissionCodeSchedulesWrite        PermissionCode = "schedules:write"
	PermissionCodeSourcesRead           PermissionCode = "sources:read"
	PermissionCodeSourcesWrite          PermissionCode = "sources:write"
	PermissionCodeViewsManage           PermissionCode = "views:manage"
	PermissionCodeViewsShare            PermissionCode = "views:share"
	PermissionCodeViewsWrite            PermissionCode = "views:write"
)

const (
	PriorityReasonCVSS               PriorityReason = "cvss"
	PriorityReasonDataSourceCritical PriorityReason = "data_source_critical"
	PriorityReasonDataSourceHigh     PriorityReason = "data_source_high"
	PriorityReasonDataSourceLow      PriorityReason = "data_source_low"
	PriorityReasonEpssTop1Percent    PriorityReason = "epss_top_1_percent"
	PriorityReasonEpssTop20Percent   PriorityReason = "epss_top_20_percent"
	PriorityReasonEpssTop5Percent    PriorityReason = "epss_top_5_percent"
	PriorityReasonFixAvailable       PriorityReason = "fix_available"
	PriorityReasonKnownExploited     PriorityReason = "known_exploited"
	PriorityReasonPublic             PriorityReason = "public"
	PriorityReasonTestCode           PriorityReason = "test_code"
)

const (
	ReportDeliveryStatusFailed  ReportDeliveryStatus = "failed"
	ReportDeliveryStatusPending ReportDeliveryStatus = "pending"
	ReportDeliveryStatusSent    ReportDeliveryStatus = "sent"
)

const (
	ReportFormatCSV         ReportFormat = "csv"
	ReportFormatDOCX        ReportFormat = "docx"
	ReportFormatJSON        ReportFormat = "json"
	ReportFormatOCSF        ReportFormat = "ocsf"
	ReportFormatPDF         ReportFormat = "pdf"
	ReportFormatSARIF       ReportFormat = "sarif"
	ReportFormatSARIFGithub ReportFormat = "sarif-github"
	ReportFormatXlsx        ReportFormat = "xlsx"
)

const (
	ReportLanguageDe ReportLanguage = "de"
	ReportLanguageEn ReportLanguage = "en"
)

const (
	ReportPaperA4     ReportPaper = "a4"
	ReportPaperLetter ReportPaper = "letter"
)

const (
	ReportStateDraft    ReportState = "draft"
	ReportStateFinal    ReportState = "final"
	ReportStateReviewed ReportState = "reviewed"
)

const (
	ReportStateChangeDraft    ReportStateChange = "draft"
	ReportStateChangeFinal    ReportStateChange = "final"
	ReportStateChangeReviewed ReportStateChange = "reviewed"
)

const (
	ReportStatusFailed  ReportStatus = "failed"
	ReportStatusPending ReportStatus = "pending"
	ReportStatusReady   ReportStatus = "ready"
)

const (
	ReportTemplateAudit     ReportTemplate = "audit"
	ReportTemplateExecutive ReportTemplate = "executive"
	ReportTemplateTechnical ReportTemplate = "technical"
)

const (
	RepositoryFilePolicyDecide  RepositoryFilePolicy = "decide"
	RepositoryFilePolicyOff     RepositoryFilePolicy = "off"
	RepositoryFilePolicyRequest RepositoryFilePolicy = "request"
)

const (
	RepositoryFilePolicyInputDecide  RepositoryFilePolicyInput = "decide"
	RepositoryFilePolicyInputOff     RepositoryFilePolicyInput = "off"
	RepositoryFilePolicyInputRequest RepositoryFilePolicyInput = "request"
)

const (
	RoleAdmin     Role = "admin"
	RoleAnalyst   Role = "analyst"
	RoleDeveloper Role = "developer"
	RoleOwner     Role = "owner"
	RoleViewer    Role = "viewer"
)

const (
	SandboxKindBubblewrap    SandboxKind = "bubblewrap"
	SandboxKindUserNamespace SandboxKind = "user_namespace"
)

const (
	SandboxStatusActive  SandboxStatus = "active"
	SandboxStatusNone    SandboxStatus = "none"
	SandboxStatusOff     SandboxStatus = "off"
	SandboxStatusPartial SandboxStatus = "partial"
)

const (
	ScanStatusCancelled ScanStatus = "cancelled"
	ScanStatusCompleted ScanStatus = "completed"
	ScanStatusFailed    ScanStatus = "failed"
	ScanStatusPartial   ScanStatus = "partial"
	ScanStatusQueued    ScanStatus = "queued"
	ScanStatusRunning   ScanStatus = "running"
)

const (
	ScanTargetStatusCancelled ScanTargetStatus = "cancelled"
	ScanTargetStatusCompleted ScanTargetStatus = "completed"
	ScanTargetStatusFailed    ScanTargetStatus = "failed"
	ScanTargetStatusQueued    ScanTargetStatus = "queued"
	ScanTargetStatusRunning   ScanTargetStatus = "running"
)

const (
	ScanTriggerAPI      ScanTrigger = "api"
	ScanTriggerImport   ScanTrigger = "import"
	ScanTriggerSchedule ScanTrigger = "schedule"
)

const (
	ScopeFindingsRead      Scope = "findings:read"
	ScopeFindingsWrite     Scope = "findings:write"
	ScopeOrganizationRead  Scope = "organization:read"
	ScopeOrganizationWrite Scope = "organization:write"
	ScopeReportsRead       Scope = "reports:read"
	ScopeReportsWrite      Scope = "reports:write"
	ScopeScansRead         Scope = "scans:read"
	ScopeScansWrite        Scope = "scans:write"
	ScopeSourcesRead       Scope = "sources:read"
	ScopeSourcesWrite      Scope = "sources:write"
)

const (
	SearchedBranchesAll SearchedBranches = "all"
)

const (
	SeverityCritical Severity = "critical"
	SeverityHigh     Severity = "high"
	SeverityInfo     Severity = "info"
	SeverityLow      Severity = "low"
	SeverityMedium   Severity = "medium"
)

const (
	SeverityFilterCritical    SeverityFilter = "critical"
	SeverityFilterHigh        SeverityFilter = "high"
	SeverityFilterInfo        SeverityFilter = "info"
	SeverityFilterLow         SeverityFilter = "low"
	SeverityFilterMedium      SeverityFilter = "medium"
	SeverityFilterNotCritical SeverityFilter = "-critical"
	SeverityFilterNotHigh     SeverityFilter = "-high"
	SeverityFilterNotInfo     SeverityFilter = "-info"
	SeverityFilterNotLow      SeverityFilter = "-low"
	SeverityFilterNotMedium   SeverityFilter = "-medium"
)

const (
	ThemeDark   Theme = "dark"
	ThemeLight  Theme = "light"
	ThemeSystem Theme = "system"
)

const (
	TimelineEntryKindChange  TimelineEntryKind = "change"
	TimelineEntryKindComment TimelineEntryKind = "comment"
)

const (
	ViewSortDueAt                 ViewSort = "due_at"
	ViewSortFirstSeenAt           ViewSort = "first_seen_at"
	ViewSortFirstSeenAtDescending ViewSort = "-first_seen_at"
	ViewSortPriorityDescending    ViewSort = "-priority"
	ViewSortRelevance             ViewSort = "relevance"
	ViewSortSeverityDescending    ViewSort = "-severity"
	ViewSortUpdatedAt             ViewSort = "updated_at"
	ViewSortUpdatedAtDescending   ViewSort = "-updated_at"
)

type APIToken struct {
	// `tok_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// The scopes to which the token is limited; null for everything that its user may do.
	Scopes []Scope `json:"scopes"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	ExpiresAt *time.Time `json:"expires_at"`
	// To the minute.
	LastUsedAt *time.Time `json:"last_used_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *APIToken) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v APIToken) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type APITokenCreation struct {
	// The purpose of the token. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name"`
	// The scopes to which the token is limited; null for everything that its user may do.
	Scopes Nullable[[]Scope] `json:"scopes,omitempty"`
	// When the token expires, in the future; null for a token that does not expire. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	ExpiresAt Nullable[Timestamp] `json:"expires_at,omitempty"`
	// Your password: needed when you signed in more than 15 minutes ago.
	Password string `json:"password,omitempty"`
}

func (v APITokenCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type APITokenReference struct {
	// `tok_…`
	ID   string `json:"id"`
	Name string `json:"name"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *APITokenReference) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v APITokenReference) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// AcceptedRiskPolicy: The conditions for accepting a risk.
type AcceptedRiskPolicy struct {
	// The maximum number of days for which people can accept a risk; null for no limit.
	MaxDays *int `json:"max_days"`
	// Whether they must add a comment.
	ReasonRequired bool `json:"reason_required"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *AcceptedRiskPolicy) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v AcceptedRiskPolicy) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// AcceptedRiskPolicyInput: The conditions for accepting a risk.
type AcceptedRiskPolicyInput struct {
	// The maximum number of days for which people can accept a risk; null for no limit.
	MaxDays Nullable[int] `json:"max_days"`
	// Whether they must add a comment.
	ReasonRequired bool `json:"reason_required"`
}

func (v AcceptedRiskPolicyInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type AgeCount struct {
	// Null for all that are older than the band before.
	UpToDays   *int           `json:"up_to_days"`
	Open       int            `json:"open"`
	BySeverity SeverityCounts `json:"by_severity"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *AgeCount) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v AgeCount) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Assignee struct {
	// `usr_…`
	ID string `json:"id"`
	// Display name.
	Name string `json:"name"`
	// Email address.
	Email string `json:"email"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Assignee) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Assignee) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type AuditAction string

type AuditActor struct {
	// `system`: the operator at the command line, or the platform itself.
	Type AuditActorType `json:"type"`
	// The person, also behind a token; null for the system.
	User *UserReference `json:"user"`
	// The API token; null for a console session and for the system.
	Token *APITokenReference `json:"token"`
	// The IP address of the client.
	Address *string `json:"address"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *AuditActor) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v AuditActor) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// AuditActorType: `system`: the operator at the command line, or the platform itself.
type AuditActorType string

type AuditEvent struct {
	// `aud_…`
	ID string `json:"id"`
	// The position in the organization's chain, without gaps.
	Sequence int `json:"sequence"`
	// The time at which the change took effect.
	OccurredAt time.Time  `json:"occurred_at"`
	Actor      AuditActor `json:"actor"`
	// `noun.verb`; the parameter `action` lists them all.
	Action string       `json:"action"`
	Target *AuditTarget `json:"target"`
	// The fields that the change replaced or removed, with their values before it.
	Before any `json:"before"`
	// The fields that the change set, with their values after it.
	After any `json:"after"`
	// Circumstances, such as a reason or a count.
	Details any `json:"details"`
	// SHA-256 of this event and the hash of the one before.
	Hash string `json:"hash"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *AuditEvent) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v AuditEvent) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// AuditEventListParams: The parameters of listAuditEvents.
type AuditEventListParams struct {
	// By this person (an id, or `me`) with all their tokens, by this API token (an id), or by `system`. Other texts are looked for in the names and addresses of people and in the names of tokens.
	Actor string `json:"actor,omitempty"`
	// Any of these actions:
	//
	// - `organization.created`: An organization was created.
	// - `organization.updated`: The organization was renamed.
	// - `organization.limits_changed`: The operator changed the plan or the rate limit.
	// - `policy.updated`: The days to fix findings, the conditions for accepting risks or the sign-in policy were changed.
	// - `member.added`: The operator added a person to the organization.
	// - `member.joined`: A person became a member by their first single sign-on.
	// - `member.role_changed`: A member got another role.
	// - `member.removed`: A member was removed.
	// - `member.sessions_ended`: The sessions of a member were ended for the organization.
	// - `invitation.created`: A person was invited.
	// - `invitation.resent`: An invitation got a new link.
	// - `invitation.revoked`: An invitation was revoked.
	// - `invitation.accepted`: An invited person became a member.
	// - `token.created`: An API token was created.
	// - `token.revoked`: An API token was revoked.
	// - `account.password_reset`: A person got a new password from the operator.
	// - `account.signed_in`: A person signed in.
	// - `account.sign_in_failed`: Somebody failed to sign in as a person, or to confirm an action as them: by hour and address, with the number of attempts.
	// - `account.signed_out`: A person signed out.
	// - `account.session_ended`: A person ended one of their sessions.
	// - `account.password_recovered`: A person set a new password by a link in a mail.
	// - `account.claimed`: A person proved that the address of an account is theirs. All earlier ways to sign in to it ended.
	// - `account.joined`: A person joined an account of their address into their own.
	// - `account.email_changed`: A person confirmed a new email address.
	// - `account.password_changed`: A person changed their password.
	// - `account.two_factor_enabled`: A person turned the second factor on.
	// - `account.two_factor_removed`: A person removed the second factor.
	// - `account.two_factor_replaced`: A person replaced the second factor by another one.
	// - `account.recovery_code_used`: A person used a recovery code.
	// - `account.recovery_codes_renewed`: A person created new recovery codes.
	// - `account.disabled`: The operator disabled a person.
	// - `account.enabled`: The operator enabled a person again.
	// - `account.sessions_ended`: The operator ended all sessions of a person.
	// - `account.two_factor_reset`: The operator removed the second factor of a person.
	// - `account.passkey_added`: A person added a passkey.
	// - `account.passkey_removed`: A person removed a passkey.
	// - `account.renamed`: A person changed their name.
	// - `data_source.created`: A data source was added.
	// - `data_source.updated`: A data source was changed.
	// - `data_source.deleted`: A data source was deleted.
	// - `scan.cancelled`: A scan was cancelled.
	// - `scan_schedule.created`: A scan schedule was created.
	// - `scan_schedule.updated`: A scan schedule was changed.
	// - `scan_schedule.deleted`: A scan schedule was deleted.
	// - `report.created`: A report was generated.
	// - `report.exported`: A report was exported as a file.
	// - `report.deleted`: A report was deleted.
	// - `report.state_changed`: A report was reviewed, made final or made a draft again.
	// - `scheduled_report.created`: A scheduled report was created.
	// - `scheduled_report.updated`: A scheduled report was changed.
	// - `scheduled_report.deleted`: A scheduled report was deleted.
	// - `feed.requested`: An owner had the feeds of the installation loaded.
	// - `feed.uploaded`: An owner uploaded the file of a feed.
	// - `findings.exported`: The list of findings was exported.
	// - `findings.updated`: Many findings were updated at once.
	// - `findings.update_undone`: An update of many findings was undone.
	// - `audit_log.exported`: The audit log was exported.
	// - `decision.created`: A decision about findings was made.
	// - `decision.requested`: A decision about findings was requested.
	// - `decision.approved`: A requested decision was approved: it holds from then on.
	// - `decision.rejected`: A requested decision was rejected.
	// - `decision.updated`: The reason or the end of a decision was changed.
	// - `decision.withdrawn`: A decision was withdrawn.
	// - `view.shared`: A view of the list of findings was shared with the organization.
	// - `view.updated`: A shared view was changed.
	// - `view.unshared`: A shared view became private.
	// - `view.deleted`: A shared view was deleted.
	Action []AuditAction `json:"action,omitempty"`
	// The target, of any kind: its id, or words, or beginnings of words, of the name that it had then. Case does not matter.
	Target string `json:"target,omitempty"`
	// At or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	From Timestamp `json:"from,omitempty"`
	// At or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	To Timestamp `json:"to,omitempty"`
	// Overrides the header `Accept`; `json` by default.
	Format AuditFormat `json:"format,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v AuditEventListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// AuditFormat: Overrides the header `Accept`; `json` by default.
type AuditFormat string

type AuditTarget struct {
	// The id of what was changed; it may be gone.
	ID string `json:"id"`
	// The name that it had then.
	Name *string `json:"name"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *AuditTarget) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v AuditTarget) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// BulkChange: The values set on each finding; only the given fields are present.
type BulkChange struct {
	Status     FindingStatus `json:"status,omitempty"`
	Tags       []string      `json:"tags,omitempty"`
	AddTags    []string      `json:"add_tags,omitempty"`
	RemoveTags []string      `json:"remove_tags,omitempty"`
	// `usr_…`
	Assignee *string `json:"assignee,omitempty"`
	Comment  string  `json:"comment,omitempty"`
	// UTC, to the second.
	AcceptedUntil *time.Time             `json:"accepted_until,omitempty"`
	Justification *DecisionJustification `json:"justification,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *BulkChange) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v BulkChange) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type BulkOperation struct {
	// `bulk_…`
	ID string `json:"id"`
	// `failed`: it ended early; what it has changed can be undone.
	Status BulkOperationStatus `json:"status"`
	// The values set on each finding; only the given fields are present.
	Change BulkChange `json:"change"`
	// The filters that select the findings; null when they were given by their ids.
	Filter *BulkOperationFilter `json:"filter"`
	// Findings that were created or changed after this time are skipped.
	AsOf        time.Time      `json:"as_of"`
	RequestedBy *UserReference `json:"requested_by"`
	// Findings that matched at the start.
	Matched int `json:"matched"`
	// The number of findings processed so far.
	Processed int `json:"processed"`
	// The number of findings that changed.
	Updated int `json:"updated"`
	// The number of findings that had these values already.
	Unchanged int `json:"unchanged"`
	// Progress of the change or, later, of its undoing.
	Percent int `json:"percent"`
	// Why it failed.
	Error *string `json:"error"`
	// Until then it can be undone; null when it cannot.
	UndoableUntil *time.Time `json:"undoable_until"`
	// Null unless a person has undone it.
	Undo *BulkUndo `json:"undo"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *BulkOperation) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v BulkOperation) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type BulkOperationFilter struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *BulkOperationFilter) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v BulkOperationFilter) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// BulkOperationListParams: The parameters of listBulkOperations.
type BulkOperationListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v BulkOperationListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// BulkOperationStatus: `failed`: it ended early; what it has changed can be undone.
type BulkOperationStatus string

type BulkUndo struct {
	RequestedBy *UserReference `json:"requested_by"`
	// Findings that are as they were before the operation.
	Restored int `json:"restored"`
	// Findings that were changed since the operation, or that the policy lets nobody close alone. They stay as they are.
	PassedOver int `json:"passed_over"`
	// UTC, to the second.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *BulkUndo) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v BulkUndo) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ChangeActor: The person or program that made the change.
type ChangeActor struct {
	Kind ChangeActorKind `json:"kind"`
	// `usr_…` or `scan_…`
	ID   *string `json:"id"`
	Name *string `json:"name"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ChangeActor) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ChangeActor) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ChangeActorKind string

type ChangedDecisionEnd struct {
	// It is in CISA’s catalog of exploited vulnerabilities.
	Kev *bool `json:"kev,omitempty"`
	// Its EPSS score is higher.
	EpssAbove     float64  `json:"epss_above,omitempty"`
	SeverityAbove Severity `json:"severity_above,omitempty"`
	// A version of its package that fixes it is known.
	FixAvailable *bool `json:"fix_available,omitempty"`
	// A scan sees its package in another version.
	VersionChanges *bool `json:"version_changes,omitempty"`
}

func (v ChangedDecisionEnd) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ChangedDecisionScope: All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.
type ChangedDecisionScope struct {
	// Any of these findings.
	Finding []string `json:"finding,omitempty"`
	// Any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these identifiers or an alias of one; case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// In any of these packages, as package URLs without a version: `pkg:npm/left-pad`.
	Package []string `json:"package,omitempty"`
	// With `package`: all affected versions are in this range, `vers:npm/>=1.0.0|<2.0.0`, by the order of versions of its ecosystem.
	Versions string `json:"versions,omitempty"`
	// All its places are at any of these paths, as the filter `path` of findings reads them.
	Path []string `json:"path,omitempty"`
	// Any of these detection sources.
	Source []string `json:"source,omitempty"`
	// Any of these data sources.
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
}

func (v ChangedDecisionScope) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// CheckName: The part of the installation.
type CheckName string

// CheckState: `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
type CheckState string

type ClosedNothing struct {
	// - `failed`: The target failed: what it found stays, and what it did not see may still be there.
	// - `cancelled`: The scan was cancelled before the target was done.
	// - `incomplete`: Not all of the data source was covered: the warnings say what was left out.
	// - `not_requested`: The import did not ask for it: send `close_missing=true` to close what the file no longer reports.
	// - `overtaken`: A scan that began later ended first, and has seen a newer state.
	// - `nothing_missing`: Everything that was open before was seen again.
	Code ClosedNothingCode `json:"code"`
	// The same in words.
	Message string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ClosedNothing) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ClosedNothing) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ClosedNothingCode: - `failed`: The target failed: what it found stays, and what it did not see may still be there.
// - `cancelled`: The scan was cancelled before the target was done.
// - `incomplete`: Not all of the data source was covered: the warnings say what was left out.
// - `not_requested`: The import did not ask for it: send `close_missing=true` to close what the file no longer reports.
// - `overtaken`: A scan that began later ended first, and has seen a newer state.
// - `nothing_missing`: Everything that was open before was seen again.
type ClosedNothingCode string

// ConnectionCode: `ok`, or the reason: `refused` by the network policy, at the address or after a redirect; `host_not_found`, `unreachable`, `timeout`; `untrusted`: the certificate is not trusted; `authentication_failed` or `invalid_credential`; `not_found`, `branch_not_found` or `empty`, for repositories; `unavailable`: the api has no git; `failed`: anything else.
type ConnectionCode string

type ConnectionTest struct {
	// Whether a scan could reach the data source now.
	Reachable bool `json:"reachable"`
	// `ok`, or the reason: `refused` by the network policy, at the address or after a redirect; `host_not_found`, `unreachable`, `timeout`; `untrusted`: the certificate is not trusted; `authentication_failed` or `invalid_credential`; `not_found`, `branch_not_found` or `empty`, for repositories; `unavailable`: the api has no git; `failed`: anything else.
	Code ConnectionCode `json:"code"`
	// The result as a sentence for people.
	Message string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ConnectionTest) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ConnectionTest) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// Criticality: The importance of the data source: a `critical` one makes its findings more urgent. `medium` by default.
type Criticality string

// CriticalityFilter: With a leading `-`: any but this.
type CriticalityFilter string

type DailyCount struct {
	// Day in UTC, `YYYY-MM-DD`.
	Date   string `json:"date"`
	Opened int    `json:"opened"`
	Closed int    `json:"closed"`
	// Open at the end of the day; today, open now.
	Open       int                 `json:"open"`
	BySeverity DailySeverityCounts `json:"by_severity"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DailyCount) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DailyCount) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DailySeverityCounts struct {
	Critical OpenedAndClosed `json:"critical"`
	High     OpenedAndClosed `json:"high"`
	Medium   OpenedAndClosed `json:"medium"`
	Low      OpenedAndClosed `json:"low"`
	Info     OpenedAndClosed `json:"info"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DailySeverityCounts) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DailySeverityCounts) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DataSource struct {
	// `ds_…`
	ID string `json:"id"`
	// The kind of the data source; it never changes.
	Kind DataSourceKind `json:"kind"`
	// The name of the data source.
	Name string `json:"name"`
	// The configuration, by kind. Credentials are never returned.
	Config DataSourceConfig `json:"config"`
	// Whether a credential is stored for the data source.
	HasCredential bool `json:"has_credential"`
	// Tags to group data sources by.
	Tags []string `json:"tags"`
	// The person responsible for it.
	Owner *DataSourceOwner `json:"owner"`
	// The importance of the data source: a `critical` one makes its findings more urgent. `medium` by default.
	Criticality Criticality `json:"criticality"`
	// Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
	Exposure Exposure `json:"exposure"`
	// The worst status of its scanners: `failed`, `partial`, `stale`, then `never_scanned`, which has none, and `ok`.
	Status DataSourceStatus `json:"status"`
	// The reason of the worst scanner; null when the status is `ok`.
	StatusMessage *string `json:"status_message"`
	// The scanners that scanned it, the worst first. An extension.
	Scanners []ScannerStatus `json:"scanners"`
	// The number of its findings that are `new`, `triaged` or `in_progress`.
	OpenFindings int `json:"open_findings"`
	// When its last scan ended.
	LastScannedAt *time.Time `json:"last_scanned_at"`
	// When it was added.
	CreatedAt time.Time `json:"created_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DataSource) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DataSource) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DataSourceConfig struct {
	// The URL from which git fetches the repository. Or: The URL of the website, in normal form.
	URL string `json:"url,omitempty"`
	// The branch to scan; null for the default branch.
	Branch *string `json:"branch,omitempty"`
	// `all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.
	Branches SearchedBranches `json:"branches,omitempty"`
	// The name or IP address of the host, in normal form.
	Address string `json:"address,omitempty"`
	// The image reference, as it was given.
	Reference string `json:"reference,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DataSourceConfig) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DataSourceConfig) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DataSourceConfigCreation struct {
	// https, ssh or git URL, or `user@host:path`. `file:` only under directories that the operator allows. No credential in it. Or: http or https URL, without credentials.
	URL string `json:"url,omitempty"`
	// The branch to scan; null for the default branch of the repository.
	Branch Nullable[string] `json:"branch,omitempty"`
	// `all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.
	Branches Nullable[SearchedBranches] `json:"branches,omitempty"`
	// The credential of a private repository. It is stored encrypted and never returned.
	Credential Nullable[GitCredential] `json:"credential,omitempty"`
	// Host name or IP address, without range or port.
	Address string `json:"address,omitempty"`
	// Image reference: `[registry/]name[:tag][@digest]`.
	Reference string `json:"reference,omitempty"`
}

func (v DataSourceConfigCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DataSourceConfigUpdate: The changed fields, as the kind has them; others stay as they are.
type DataSourceConfigUpdate struct {
	// New URL of a git repository or website.
	URL string `json:"url,omitempty"`
	// The branch to scan; null for the default branch of the repository.
	Branch Nullable[string] `json:"branch,omitempty"`
	// `all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.
	Branches Nullable[SearchedBranches] `json:"branches,omitempty"`
	// The new credential; null removes the stored one.
	Credential Nullable[GitCredential] `json:"credential,omitempty"`
	// Host name or IP address, without range or port.
	Address string `json:"address,omitempty"`
	// Image reference: `[registry/]name[:tag][@digest]`.
	Reference string `json:"reference,omitempty"`
}

func (v DataSourceConfigUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type DataSourceCount struct {
	// `ds_…`
	ID    string `json:"id"`
	Name  string `json:"name"`
	Open  int    `json:"open"`
	Total int    `json:"total"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DataSourceCount) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DataSourceCount) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DataSourceCreation: The new data source, by `kind`.
type DataSourceCreation struct {
	// The kind of the data source; it never changes.
	Kind DataSourceKind `json:"kind"`
	// The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed.
	Name   string                    `json:"name,omitempty"`
	Config *DataSourceConfigCreation `json:"config,omitempty"`
	// Tags to group data sources by. They replace the existing tags; duplicates are removed, ignoring case.
	Tags []string `json:"tags,omitempty"`
	// The person responsible: id or email address of a member; null for nobody.
	Owner Nullable[string] `json:"owner,omitempty"`
	// The importance of the data source: a `critical` one makes its findings more urgent. `medium` by default.
	Criticality Criticality `json:"criticality,omitempty"`
	// Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
	Exposure Exposure `json:"exposure,omitempty"`
}

func (v DataSourceCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DataSourceKind: The kind of the data source; it never changes.
type DataSourceKind string

// DataSourceListParams: The parameters of listDataSources.
type DataSourceListParams struct {
	// Whose name or address contains this, in any case.
	Q string `json:"q,omitempty"`
	// Data sources of any of these kinds.
	Kind []DataSourceKind `json:"kind,omitempty"`
	// In any of these statuses.
	Status []DataSourceStatus `json:"status,omitempty"`
	// Those that were never scanned are the oldest by `last_scanned_at`; by `status` the worst come first.
	Sort DataSourceSort `json:"sort,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v DataSourceListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type DataSourceOwner struct {
	// `usr_…`
	ID string `json:"id"`
	// Display name.
	Name string `json:"name"`
	// Email address.
	Email string `json:"email"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DataSourceOwner) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DataSourceOwner) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DataSourceReference struct {
	// `ds_…`
	ID string `json:"id"`
	// Its name.
	Name string `json:"name"`
	// The kind of the data source; it never changes.
	Kind DataSourceKind `json:"kind"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DataSourceReference) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DataSourceReference) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DataSourceSort: Those that were never scanned are the oldest by `last_scanned_at`; by `status` the worst come first.
type DataSourceSort string

// DataSourceStatus: The worst status of its scanners: `failed`, `partial`, `stale`, then `never_scanned`, which has none, and `ok`.
type DataSourceStatus string

type DataSourceSuggestion struct {
	Kind string `json:"kind"`
	// The name to give it.
	Name string `json:"name"`
	// Its purpose, in a sentence.
	Description string `json:"description"`
	// The `config` to add it with.
	Config SuggestedConfig `json:"config"`
	// The data source with this address, if there is one already.
	DataSourceID *string `json:"data_source_id"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DataSourceSuggestion) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DataSourceSuggestion) MarshalJSON() ([]byte, error) {
	return encodeObject(v, v.Extra, v.absent)
}

// DataSourceSuggestionListParams: The parameters of listDataSourceSuggestions.
type DataSourceSuggestionListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v DataSourceSuggestionListParams) MarshalJSON() ([]byte, error) {
	return encodeObject(v, nil, nil)
}

type DataSourceUpdate struct {
	// The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name,omitempty"`
	// The changed fields, as the kind has them; others stay as they are.
	Config *DataSourceConfigUpdate `json:"config,omitempty"`
	// Tags to group data sources by. They replace the existing tags; duplicates are removed, ignoring case.
	Tags []string `json:"tags,omitempty"`
	// The person responsible: id or email address of a member; null for nobody.
	Owner Nullable[string] `json:"owner,omitempty"`
	// The importance of the data source: a `critical` one makes its findings more urgent. `medium` by default.
	Criticality Criticality `json:"criticality,omitempty"`
	// Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
	Exposure Exposure `json:"exposure,omitempty"`
}

func (v DataSourceUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DaysByCriticality: The days to fix, by the criticality of the data source.
type DaysByCriticality struct {
	// Days from the first sighting, or from the last reopening; null for no due date.
	Low *int `json:"low"`
	// Days from the first sighting, or from the last reopening; null for no due date.
	Medium *int `json:"medium"`
	// Days from the first sighting, or from the last reopening; null for no due date.
	High *int `json:"high"`
	// Days from the first sighting, or from the last reopening; null for no due date.
	Critical *int `json:"critical"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DaysByCriticality) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DaysByCriticality) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DaysByCriticalityInput: The days to fix, by the criticality of the data source.
type DaysByCriticalityInput struct {
	// Days from the first sighting, or from the last reopening; null for no due date.
	Low Nullable[int] `json:"low"`
	// Days from the first sighting, or from the last reopening; null for no due date.
	Medium Nullable[int] `json:"medium"`
	// Days from the first sighting, or from the last reopening; null for no due date.
	High Nullable[int] `json:"high"`
	// Days from the first sighting, or from the last reopening; null for no due date.
	Critical Nullable[int] `json:"critical"`
}

func (v DaysByCriticalityInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DaysToFix: The days to fix a finding, by its severity and the criticality of its data source.
type DaysToFix struct {
	// The days to fix, by the criticality of the data source.
	Critical DaysByCriticality `json:"critical"`
	// The days to fix, by the criticality of the data source.
	High DaysByCriticality `json:"high"`
	// The days to fix, by the criticality of the data source.
	Medium DaysByCriticality `json:"medium"`
	// The days to fix, by the criticality of the data source.
	Low DaysByCriticality `json:"low"`
	// The days to fix, by the criticality of the data source.
	Info DaysByCriticality `json:"info"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DaysToFix) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DaysToFix) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DaysToFixInput: The days to fix a finding, by its severity and the criticality of its data source.
type DaysToFixInput struct {
	// The days to fix, by the criticality of the data source.
	Critical DaysByCriticalityInput `json:"critical"`
	// The days to fix, by the criticality of the data source.
	High DaysByCriticalityInput `json:"high"`
	// The days to fix, by the criticality of the data source.
	Medium DaysByCriticalityInput `json:"medium"`
	// The days to fix, by the criticality of the data source.
	Low DaysByCriticalityInput `json:"low"`
	// The days to fix, by the criticality of the data source.
	Info DaysByCriticalityInput `json:"info"`
}

func (v DaysToFixInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Decision struct {
	// `dec_…`
	ID            string                 `json:"id"`
	Status        DecisionStatus         `json:"status"`
	Outcome       DecisionOutcome        `json:"outcome"`
	Justification *DecisionJustification `json:"justification"`
	Reason        string                 `json:"reason"`
	// All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.
	Scope DecisionScope `json:"scope"`
	// UTC, to the second.
	Until *time.Time `json:"until"`
	// Ends the decision as soon as a finding for which it holds, or would hold, meets one of these conditions. With `severity_above`, its severity is higher.
	EndsWhen *DecisionEnd `json:"ends_when"`
	// Counts its changes. An approval names the version.
	Version int `json:"version"`
	// Who states it: a person, an entry in a scanned repository, or the results of a tool that name it as suppressed. An earlier one takes precedence.
	Origin DecisionOrigin `json:"origin"`
	// The person who made or requested it; null if the account was deleted, and for a repository or a tool.
	RequestedBy *UserReference `json:"requested_by"`
	// The entry in the repository; null for other decisions.
	Entry *DecisionEntry `json:"entry"`
	// When a request expires without an answer; null for other decisions.
	ExpiresAt *time.Time `json:"expires_at"`
	// The person who approved it; null for one that needed no approval.
	ApprovedBy *UserReference `json:"approved_by"`
	// UTC, to the second.
	ApprovedAt *time.Time `json:"approved_at"`
	// The message of the person who approved or rejected it.
	Answer *string `json:"answer"`
	// It applies only to findings below this severity: it was made without the approval of a second person, which the policy requires from this severity up.
	BelowSeverity *Severity `json:"below_severity"`
	// The number of findings to which it applies now.
	Findings int `json:"findings"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	EndedAt *time.Time `json:"ended_at"`
	// The person who withdrew or rejected it.
	EndedBy *UserReference `json:"ended_by"`
	// With the status `ended`: the condition of `ends_when` that ended it, `removed` if its entry is no longer in the repository, or `policy` if the policy no longer lets the repository decide.
	EndedBecause *DecisionEndReason `json:"ended_because"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Decision) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Decision) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DecisionApproval struct {
	// The `version` of the request that you have read. If the request has changed since, the response is 409.
	Version int `json:"version"`
	// A message to the requester.
	Answer string `json:"answer,omitempty"`
}

func (v DecisionApproval) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type DecisionApprovals struct {
	// The requests that were approved or, with `dry_run`, would be.
	Approved []string `json:"approved"`
	// The others. They stay as they are.
	Refused []RefusedApproval `json:"refused"`
	// With `dry_run`, the findings in the scopes of the requests that would be approved.
	Preview *DecisionPreview `json:"preview"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionApprovals) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionApprovals) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DecisionApprovalsRequest struct {
	Decisions []RequestToApprove `json:"decisions"`
	// A message to the requester.
	Answer string `json:"answer,omitempty"`
	// Whether to write nothing and return a preview.
	DryRun *bool `json:"dry_run,omitempty"`
}

func (v DecisionApprovalsRequest) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DecisionApprovers: The role from which people approve such a decision. Nobody approves their own.
type DecisionApprovers string

// DecisionApproversInput: The role from which people approve such a decision. Nobody approves their own.
type DecisionApproversInput string

type DecisionCreation struct {
	Outcome       DecisionOutcome                 `json:"outcome"`
	Justification Nullable[DecisionJustification] `json:"justification,omitempty"`
	// Why. Markdown.
	Reason string `json:"reason"`
	// All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.
	Scope NewDecisionScope `json:"scope"`
	// When it ends by itself; null for never.
	Until Nullable[Timestamp] `json:"until,omitempty"`
	// Ends the decision as soon as a finding for which it holds, or would hold, meets one of these conditions. With `severity_above`, its severity is higher.
	EndsWhen Nullable[NewDecisionEnd] `json:"ends_when,omitempty"`
	// Return what it would be about, and write nothing.
	DryRun *bool `json:"dry_run,omitempty"`
}

func (v DecisionCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type DecisionEnd struct {
	// It is in CISA’s catalog of exploited vulnerabilities.
	Kev bool `json:"kev,omitempty"`
	// Its EPSS score is higher.
	EpssAbove     float64  `json:"epss_above,omitempty"`
	SeverityAbove Severity `json:"severity_above,omitempty"`
	// A version of its package that fixes it is known.
	FixAvailable bool `json:"fix_available,omitempty"`
	// A scan sees its package in another version.
	VersionChanges bool `json:"version_changes,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionEnd) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionEnd) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DecisionEndReason string

type DecisionEntry struct {
	DataSource DataSourceReference `json:"data_source"`
	// `.assay/decisions.yaml`, or the file with a comment.
	Path string `json:"path"`
	// The line in that commit; null if unknown.
	Line *int `json:"line"`
	// The commit that wrote the entry; null if the history does not show it.
	Commit *string `json:"commit"`
	// The author of the commit; null if the commit is unknown.
	Author *DecisionEntryAuthor `json:"author"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionEntry) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionEntry) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DecisionEntryAuthor: As the commit states them: Git does not verify them.
type DecisionEntryAuthor struct {
	Name  string `json:"name"`
	Email string `json:"email"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionEntryAuthor) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionEntryAuthor) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DecisionEvent: Data of `decision`: a decision or a request without its texts.
type DecisionEvent struct {
	// `dec_…`
	ID     string         `json:"id"`
	Status DecisionStatus `json:"status"`
	// Counts its changes. An approval names the version.
	Version int `json:"version"`
	// Who states it: a person, an entry in a scanned repository, or the results of a tool that name it as suppressed. An earlier one takes precedence.
	Origin  DecisionOrigin  `json:"origin"`
	Outcome DecisionOutcome `json:"outcome"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionEvent) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionEvent) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DecisionJustification string

// DecisionListParams: The parameters of listDecisions.
type DecisionListParams struct {
	// The decisions that hold (`active`, by default), the requests to approve, or the ended ones.
	Status []DecisionStatus `json:"status,omitempty"`
	// Only decisions that updates of a finding made, or only the others (`false`).
	Single *bool `json:"single,omitempty"`
	// Only decisions that end by themselves at or before this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	UntilTo Timestamp `json:"until_to,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v DecisionListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DecisionOrigin: Who states it: a person, an entry in a scanned repository, or the results of a tool that name it as suppressed. An earlier one takes precedence.
type DecisionOrigin string

type DecisionOutcome string

// DecisionPolicy: Who may request and approve decisions, and what they need.
type DecisionPolicy struct {
	// From this severity on, a second person must approve what marks findings as false positives or accepts their risk; null for never.
	ApprovalFrom *Severity `json:"approval_from"`
	// The role from which people approve such a decision. Nobody approves their own.
	Approvers DecisionApprovers `json:"approvers"`
	// The role from which people request decisions.
	WhoMayRequest DecisionRequesters `json:"who_may_request"`
	// Whether `.assay/decisions.yaml` and the comments `assay:ignore` of a scanned repository have no effect, request decisions, or make them. A change takes effect with the next scan of each repository.
	RepositoryFile RepositoryFilePolicy `json:"repository_file"`
	// The maximum number of days that a decision holds; null for no limit.
	LongestDays *int `json:"longest_days"`
	// Whether false positives and accepted risks need a `justification`.
	JustificationRequired bool `json:"justification_required"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionPolicy) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionPolicy) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DecisionPolicyInput: Who may request and approve decisions, and what they need.
type DecisionPolicyInput struct {
	// From this severity on, a second person must approve what marks findings as false positives or accepts their risk; null for never.
	ApprovalFrom Nullable[Severity] `json:"approval_from"`
	// The role from which people approve such a decision. Nobody approves their own.
	Approvers DecisionApproversInput `json:"approvers"`
	// The role from which people request decisions.
	WhoMayRequest DecisionRequestersInput `json:"who_may_request"`
	// Whether `.assay/decisions.yaml` and the comments `assay:ignore` of a scanned repository have no effect, request decisions, or make them. A change takes effect with the next scan of each repository.
	RepositoryFile RepositoryFilePolicyInput `json:"repository_file,omitempty"`
	// The maximum number of days that a decision holds; null for no limit.
	LongestDays Nullable[int] `json:"longest_days,omitempty"`
	// Whether false positives and accepted risks need a `justification`.
	JustificationRequired *bool `json:"justification_required,omitempty"`
}

func (v DecisionPolicyInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DecisionPreview: What a decision would be about. Nothing is written.
type DecisionPreview struct {
	// The findings in its scope, open or not.
	Findings int `json:"findings"`
	// The open ones among them: it closes these, or `triaged` marks them.
	Open int `json:"open"`
	// Some of them, at most 10.
	Samples []DecisionSample `json:"samples"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionPreview) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionPreview) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DecisionRejection struct {
	// The `version` of the request that you have read. If the request has changed since, the response is 409.
	Version int `json:"version"`
	// A message to the requester.
	Answer string `json:"answer,omitempty"`
}

func (v DecisionRejection) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DecisionRequesters: The role from which people request decisions.
type DecisionRequesters string

// DecisionRequestersInput: The role from which people request decisions.
type DecisionRequestersInput string

type DecisionSample struct {
	// `fnd_…`
	ID    string `json:"id"`
	Title string `json:"title"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionSample) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionSample) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DecisionScope: All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.
type DecisionScope struct {
	// Any of these findings.
	Finding []string `json:"finding,omitempty"`
	// Any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these identifiers or an alias of one; case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// In any of these packages, as package URLs without a version: `pkg:npm/left-pad`.
	Package []string `json:"package,omitempty"`
	// With `package`: all affected versions are in this range, `vers:npm/>=1.0.0|<2.0.0`, by the order of versions of its ecosystem.
	Versions string `json:"versions,omitempty"`
	// All its places are at any of these paths, as the filter `path` of findings reads them.
	Path []string `json:"path,omitempty"`
	// Any of these detection sources.
	Source []string `json:"source,omitempty"`
	// Any of these data sources.
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DecisionScope) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DecisionScope) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type DecisionStatus string

type DecisionUpdate struct {
	// Why. Markdown.
	Reason string `json:"reason,omitempty"`
	// All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.
	Scope *ChangedDecisionScope `json:"scope,omitempty"`
	// When it ends by itself; null for never.
	Until Nullable[Timestamp] `json:"until,omitempty"`
	// Ends the decision as soon as a finding for which it holds, or would hold, meets one of these conditions. With `severity_above`, its severity is higher.
	EndsWhen Nullable[ChangedDecisionEnd] `json:"ends_when,omitempty"`
}

func (v DecisionUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Density string

type DetectionSource struct {
	// Its name in paths and filters.
	Type        string `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// `scan`: run by the platform; `push`: its results come in by import.
	Mode   DetectionSourceMode   `json:"mode"`
	Status DetectionSourceStatus `json:"status"`
	// Why it is unavailable.
	StatusReason *string `json:"status_reason"`
	Version      *string `json:"version"`
	// The command that installs its program, run on the server in the folder of Assay; null when the program is there, or has to be installed in another way. An extension.
	InstallCommand *string `json:"install_command"`
	// The confinement of the programs that the source starts on the worker; with several workers, on the one that confines them least. Null when it starts none, or no worker has reported it. An extension.
	Sandbox         *Sandbox         `json:"sandbox"`
	DataSourceKinds []DataSourceKind `json:"data_source_kinds"`
	OpenFindings    int              `json:"open_findings"`
	LastScan        *LastScan        `json:"last_scan"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *DetectionSource) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v DetectionSource) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// DetectionSourceListParams: The parameters of listDetectionSources.
type DetectionSourceListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v DetectionSourceListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// DetectionSourceMode: `scan`: run by the platform; `push`: its results come in by import.
type DetectionSourceMode string

type DetectionSourceStatus string

type EmailChange struct {
	// Your new address.
	Email string `json:"email"`
	// Your password: needed when you signed in more than 15 minutes ago.
	Password string `json:"password,omitempty"`
}

func (v EmailChange) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ErrorDetail: An error in one field or parameter of a request.
type ErrorDetail struct {
	// The part of the request that has the problem.
	In ErrorPlace `json:"in,omitempty"`
	// The parameter, header or field: `limit`, `If-Match`, `config.url`, `ids[3]`.
	Field string `json:"field,omitempty"`
	// The error, and what is accepted.
	Message string `json:"message"`
	// The id of what conflicts with the request, for example of what exists already.
	ID string `json:"id,omitempty"`
	// The limit that is reached.
	Limit int `json:"limit,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ErrorDetail) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ErrorDetail) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ErrorPlace string

// ExportLanguage: With `format=pdf` or `docx`: the language; by default `document.language` of the report.
type ExportLanguage string

// ExportStandard: With `format=pdf`: PDF/UA-1 (`ua-1`, by default), which screen readers need, or PDF/A-2a (`a-2a`) for archives. Both are tagged.
type ExportStandard string

// Exposure: Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
type Exposure string

type Facet struct {
	Field FacetField `json:"field"`
	// Whether there are further values with smaller counts.
	More bool `json:"more"`
	// The 50 values with the largest counts, the largest first. Severities, statuses, confidences and criticalities are complete and in their own order.
	Values []FacetValue `json:"values"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Facet) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Facet) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FacetField string

type FacetValue struct {
	// The value as the filter of the list accepts it; `none` for findings without an assignee or a stated confidence, or in data sources without an owner.
	Value string `json:"value"`
	// The display name if the value is the id of a data source, a person or a rule.
	Label *string `json:"label"`
	Count int     `json:"count"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FacetValue) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FacetValue) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FailedSignIn struct {
	// The address from which it was tried; null for the attempts from many further addresses together.
	Address *string `json:"address"`
	// The ways that were tried. `confirmation`: the password or code that an action of a signed-in person asks for again.
	Methods  []FailedSignInMethod `json:"methods"`
	Attempts int                  `json:"attempts"`
	// The first of these attempts.
	FirstAt time.Time `json:"first_at"`
	// The last of these attempts.
	LastAt time.Time `json:"last_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FailedSignIn) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FailedSignIn) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FailedSignInListParams: The parameters of listFailedSignIns.
type FailedSignInListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v FailedSignInListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FailedSignInMethod string

type FieldChange struct {
	// The field of the finding.
	Field string `json:"field"`
	// Its value before.
	From any `json:"from"`
	// Its value after.
	To any `json:"to"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FieldChange) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FieldChange) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Finding struct {
	// `fnd_…`
	ID string `json:"id"`
	// Its name for people, `F-` and a number: unique in the organization, and the same for its life.
	Number string `json:"number"`
	// Its page in the console.
	URL string `json:"url"`
	// The problem and its location in one line.
	Title string `json:"title"`
	// Markdown.
	Description string   `json:"description"`
	Severity    Severity `json:"severity"`
	// The severity that its scanner reports, while a decision with the outcome `demoted` shows it as `info`; null otherwise.
	ScannerSeverity *Severity     `json:"scanner_severity"`
	Status          FindingStatus `json:"status"`
	// Type of the detection source that reported it.
	Source     string              `json:"source"`
	DataSource DataSourceReference `json:"data_source"`
	Rule       FindingRule         `json:"rule"`
	Location   FindingLocation     `json:"location"`
	// Public identifiers, e.g. CWE, CVE and GHSA.
	Identifiers []string `json:"identifiers"`
	CVSSScore   *float64 `json:"cvss_score"`
	// The offending content; secrets are redacted.
	Evidence *string `json:"evidence"`
	// Instructions for fixing it. Markdown.
	Remediation *string `json:"remediation"`
	// Links to further reading.
	References []string `json:"references"`
	// The tags that people gave it.
	Tags     []string  `json:"tags"`
	Assignee *Assignee `json:"assignee"`
	// Identity within its data source and source, prefixed with a version.
	Fingerprint string `json:"fingerprint"`
	// The number of places in which it occurs.
	Occurrences  int `json:"occurrences"`
	CommentCount int `json:"comment_count"`
	// Why it was resolved, if not by a person.
	Resolution *FindingResolution `json:"resolution"`
	// The time until which the risk is accepted.
	AcceptedUntil *time.Time `json:"accepted_until"`
	// The decision that applies (`/decisions`): the one that set the status, otherwise one that demotes it; null if there is none.
	Decision *FindingDecision `json:"decision"`
	// The number of times it was found again after it was resolved.
	ReopenedCount int `json:"reopened_count"`
	// UTC, to the second.
	FirstSeenAt time.Time `json:"first_seen_at"`
	// When a completed scan last saw it.
	LastSeenAt time.Time `json:"last_seen_at"`
	// When its facts or its triage last changed.
	UpdatedAt time.Time `json:"updated_at"`
	// Rises with each change of it. As `If-Match: "3"` of an update, or among `versions` of many, it refuses what somebody decided on an older state.
	Version int `json:"version"`
	// UTC, to the second.
	ClosedAt *time.Time `json:"closed_at"`
	// By the paths of all its places: `test` in tests, `example` also in documentation, templates and examples; null elsewhere.
	Context *FindingContext `json:"context"`
	// How likely it is true, by its scanner: `high` if nothing was assumed, `medium` if a part was, such as an unknown function, `low` if it is only a hint; null when the tool states none.
	Confidence *FindingConfidence `json:"confidence"`
	// The order of fixing: the higher, the sooner.
	Priority int `json:"priority"`
	// Reasons besides the severity that raised or lowered the priority.
	PriorityReasons []PriorityReason `json:"priority_reasons"`
	// The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.
	Epss *float64 `json:"epss"`
	// The share of all CVEs with that EPSS score or a lower one.
	EpssPercentile *float64 `json:"epss_percentile"`
	// The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.
	Kev *string `json:"kev"`
	// When it must be fixed by the policy; null when it is closed or has no due date.
	DueAt *time.Time `json:"due_at"`
	// The requirements of standards for which it counts, such as `owasp-2021:A03` or `pci-dss-4.0.1:6.2.4`, by its CWEs, its rule and other facts. The filter `standard` has their names.
	Standards []string `json:"standards,omitempty"`
	// The lines around the place in the scanned version; null when there are none.
	Code *FindingCode `json:"code,omitempty"`
	// The steps from source to sink, in their order; null when the tool reports none.
	Flow []FlowStep `json:"flow,omitempty"`
	// A proposed change; null when the tool proposes none.
	Fix *FindingFix `json:"fix,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Finding) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Finding) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingBulkUpdate: The findings, by `ids` or by `filter`, and what to set on them.
type FindingBulkUpdate struct {
	// Up to 1,000 finding ids.
	Ids []string `json:"ids,omitempty"`
	// The version of each finding that the change was decided on, by id. Findings of another version stay as they are and are `conflicts`. An extension.
	Versions map[string]int `json:"versions,omitempty"`
	Status   FindingStatus  `json:"status,omitempty"`
	// Replaces the tags. Duplicates are removed, ignoring case.
	Tags []string `json:"tags,omitempty"`
	// Id or email address of a member; null for nobody.
	Assignee Nullable[string] `json:"assignee,omitempty"`
	// Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
	Comment string `json:"comment,omitempty"`
	// With status `accepted_risk`: from this time the finding is new again; null for no end.
	AcceptedUntil Nullable[Timestamp] `json:"accepted_until,omitempty"`
	// With status `false_positive` or `accepted_risk`: the class of the reason.
	Justification Nullable[DecisionJustification] `json:"justification,omitempty"`
	// Added to the tags of each finding, which keeps 50 at most. Not together with `tags`.
	AddTags []string `json:"add_tags,omitempty"`
	// Removed from the tags of each finding, case aside. Not together with `tags`.
	RemoveTags []string `json:"remove_tags,omitempty"`
	// With true, nothing is written: the response says what would happen.
	DryRun *bool `json:"dry_run,omitempty"`
	// Changes only findings that were not created or changed after this time, to the second. Give the `as_of` of a dry run, so that nothing is changed that its reader has not seen. A finding must also match the filters when it is changed. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	AsOf Timestamp `json:"as_of,omitempty"`
	// The `matched` of a dry run. When another number of findings matches now, nothing is changed: 409.
	ExpectedCount int `json:"expected_count,omitempty"`
	// All findings that these filters of the list select; several values as an array.
	Filter *FindingFilter `json:"filter,omitempty"`
}

func (v FindingBulkUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingBulkUpdateResult struct {
	// The number of findings changed so far; those that had these values already are not counted. 0 in a dry run.
	Updated int `json:"updated"`
	// The operation, which can be undone; null in a dry run, and when nothing changed.
	Operation *BulkOperation `json:"operation"`
	// The number of matching findings.
	Matched int `json:"matched"`
	// The number of them that already have these values.
	Unchanged int `json:"unchanged"`
	// Ids that stay as they are since their findings were changed: after `as_of`, or since their `versions`.
	Conflicts []string `json:"conflicts"`
	// Later changes are not in these figures. Send it with the real update.
	AsOf time.Time `json:"as_of"`
	// In a dry run: the matching findings by severity.
	BySeverity *SeverityCounts `json:"by_severity"`
	// In a dry run: the matching findings by status.
	ByStatus *StatusCounts `json:"by_status"`
	// In a dry run: up to ten of the matching findings, the most severe ones first.
	Samples []Finding `json:"samples"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingBulkUpdateResult) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingBulkUpdateResult) MarshalJSON() ([]byte, error) {
	return encodeObject(v, v.Extra, v.absent)
}

type FindingChange struct {
	// `his_…`
	ID string `json:"id"`
	// UTC, to the second.
	At time.Time `json:"at"`
	// The person or program that made the change.
	Actor ChangeActor `json:"actor"`
	// The data source in which a scan saw the finding, or no longer saw it; null for other changes.
	DataSource *DataSourceReference `json:"data_source"`
	Changes    []FieldChange        `json:"changes"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingChange) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingChange) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingCode struct {
	// The number of the first line.
	StartLine int `json:"start_line"`
	// The lines without line breaks, at most 4 kB. Secrets are redacted and long lines cut (`…`).
	Lines []string `json:"lines"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingCode) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingCode) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingComment struct {
	// `cmt_…`
	ID string `json:"id"`
	// `fnd_…`
	FindingID string `json:"finding_id"`
	// Markdown; empty when it was deleted.
	Comment string `json:"comment"`
	// Null for comments by the platform itself.
	Author *UserReference `json:"author"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// When its author last changed it; null if never.
	EditedAt *time.Time `json:"edited_at"`
	// When its author deleted it: its text is gone, and this mark remains.
	DeletedAt *time.Time `json:"deleted_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingComment) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingComment) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingCommentCreation struct {
	// Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
	Comment string `json:"comment"`
}

func (v FindingCommentCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// FindingCommentListParams: The parameters of listFindingComments.
type FindingCommentListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v FindingCommentListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingCommentUpdate struct {
	// Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
	Comment string `json:"comment"`
}

func (v FindingCommentUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingConfidence string

// FindingConfidenceFilter: With a leading `-`: any but this.
type FindingConfidenceFilter string

type FindingContext string

// FindingContextFilter: With a leading `-`: any but this.
type FindingContextFilter string

type FindingDecision struct {
	// `dec_…`
	ID            string                 `json:"id"`
	Outcome       DecisionOutcome        `json:"outcome"`
	Justification *DecisionJustification `json:"justification"`
	// UTC, to the second.
	Until *time.Time `json:"until"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingDecision) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingDecision) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingDetail struct {
	// `fnd_…`
	ID string `json:"id"`
	// Its name for people, `F-` and a number: unique in the organization, and the same for its life.
	Number string `json:"number"`
	// Its page in the console.
	URL string `json:"url"`
	// The problem and its location in one line.
	Title string `json:"title"`
	// Markdown.
	Description string   `json:"description"`
	Severity    Severity `json:"severity"`
	// The severity that its scanner reports, while a decision with the outcome `demoted` shows it as `info`; null otherwise.
	ScannerSeverity *Severity     `json:"scanner_severity"`
	Status          FindingStatus `json:"status"`
	// Type of the detection source that reported it.
	Source     string              `json:"source"`
	DataSource DataSourceReference `json:"data_source"`
	Rule       FindingRule         `json:"rule"`
	Location   FindingLocation     `json:"location"`
	// Public identifiers, e.g. CWE, CVE and GHSA.
	Identifiers []string `json:"identifiers"`
	CVSSScore   *float64 `json:"cvss_score"`
	// The offending content; secrets are redacted.
	Evidence *string `json:"evidence"`
	// Instructions for fixing it. Markdown.
	Remediation *string `json:"remediation"`
	// Links to further reading.
	References []string `json:"references"`
	// The tags that people gave it.
	Tags     []string  `json:"tags"`
	Assignee *Assignee `json:"assignee"`
	// Identity within its data source and source, prefixed with a version.
	Fingerprint string `json:"fingerprint"`
	// The number of places in which it occurs.
	Occurrences  int `json:"occurrences"`
	CommentCount int `json:"comment_count"`
	// Why it was resolved, if not by a person.
	Resolution *FindingResolution `json:"resolution"`
	// The time until which the risk is accepted.
	AcceptedUntil *time.Time `json:"accepted_until"`
	// The decision that applies (`/decisions`): the one that set the status, otherwise one that demotes it; null if there is none.
	Decision *FindingDecision `json:"decision"`
	// The number of times it was found again after it was resolved.
	ReopenedCount int `json:"reopened_count"`
	// UTC, to the second.
	FirstSeenAt time.Time `json:"first_seen_at"`
	// When a completed scan last saw it.
	LastSeenAt time.Time `json:"last_seen_at"`
	// When its facts or its triage last changed.
	UpdatedAt time.Time `json:"updated_at"`
	// Rises with each change of it. As `If-Match: "3"` of an update, or among `versions` of many, it refuses what somebody decided on an older state.
	Version int `json:"version"`
	// UTC, to the second.
	ClosedAt *time.Time `json:"closed_at"`
	// By the paths of all its places: `test` in tests, `example` also in documentation, templates and examples; null elsewhere.
	Context *FindingContext `json:"context"`
	// How likely it is true, by its scanner: `high` if nothing was assumed, `medium` if a part was, such as an unknown function, `low` if it is only a hint; null when the tool states none.
	Confidence *FindingConfidence `json:"confidence"`
	// The order of fixing: the higher, the sooner.
	Priority int `json:"priority"`
	// Reasons besides the severity that raised or lowered the priority.
	PriorityReasons []PriorityReason `json:"priority_reasons"`
	// The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.
	Epss *float64 `json:"epss"`
	// The share of all CVEs with that EPSS score or a lower one.
	EpssPercentile *float64 `json:"epss_percentile"`
	// The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.
	Kev *string `json:"kev"`
	// When it must be fixed by the policy; null when it is closed or has no due date.
	DueAt *time.Time `json:"due_at"`
	// The requirements of standards for which it counts, such as `owasp-2021:A03` or `pci-dss-4.0.1:6.2.4`, by its CWEs, its rule and other facts. The filter `standard` has their names.
	Standards []string `json:"standards"`
	// The lines around the place in the scanned version; null when there are none.
	Code *FindingCode `json:"code"`
	// The steps from source to sink, in their order; null when the tool reports none.
	Flow []FlowStep `json:"flow"`
	// A proposed change; null when the tool proposes none.
	Fix *FindingFix `json:"fix"`
	// The places in which it occurs, at most 100.
	Places []FindingPlace `json:"places"`
	// Findings of other detection sources about the same problem in the same data source, at most 20: in the same package with the same advisory, or with the same CWE in the same file and line.
	Related []string `json:"related"`
	// The other decisions in whose scope it is, at most 20, in the order in which they take over when `decision` ends.
	Also []FindingDecision `json:"also"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingDetail) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingDetail) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingExportFormat: The format of the file.
type FindingExportFormat string

// FindingExportParams: The parameters of exportFindings.
type FindingExportParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
	// Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500.
	Sort FindingExportSort `json:"sort,omitempty"`
	// The format of the file.
	Format FindingExportFormat `json:"format"`
	// With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly.
	Bom *bool `json:"bom,omitempty"`
}

func (v FindingExportParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// FindingExportSort: Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500.
type FindingExportSort string

type FindingFacets struct {
	// The number of findings that the filters select.
	Total int `json:"total"`
	// The counts of each field, in the order of the request.
	Facets []Facet `json:"facets"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingFacets) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingFacets) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingFacetsParams: The parameters of listFindingFacets.
type FindingFacetsParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
	// The fields to count.
	Field []FacetField `json:"field"`
	// Returns only values that contain this text, or whose name does. (`q` filters findings, as in the list.)
	ValueQ string `json:"value_q,omitempty"`
}

func (v FindingFacetsParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingField string

// FindingFile: With `format=json`.
type FindingFile struct {
	// Each also with `comments`, its newest ones.
	Data []FindingWithPlaces `json:"data"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingFile) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingFile) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingFilter: All findings that these filters of the list select; several values as an array.
type FindingFilter struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
}

func (v FindingFilter) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingFix struct {
	Description *string `json:"description"`
	// All of them belong together.
	Changes []FixChange `json:"changes"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingFix) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingFix) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingFollowParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
}

func (v FindingFollowParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingGroup struct {
	// The value, as the filter takes it: an id of a rule or data source, or a name.
	Value string `json:"value"`
	// The name of what the value is the id of.
	Label      *string        `json:"label"`
	Count      int            `json:"count"`
	BySeverity SeverityCounts `json:"by_severity"`
	// The newest completed scan that saw one of them.
	LastSeenAt *time.Time `json:"last_seen_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingGroup) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingGroup) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingGroupListParams: The parameters of listFindingGroups.
type FindingGroupListParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
	// The property that the findings of a group share.
	By FindingGrouping `json:"by"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v FindingGroupListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// FindingGrouping: The property that the findings of a group share.
type FindingGrouping string

// FindingHistoryParams: The parameters of listFindingHistory.
type FindingHistoryParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v FindingHistoryParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// FindingListParams: The parameters of listFindings.
type FindingListParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
	// The order; `-` means descending. The default is `-first_seen_at`. With `-severity`, `-priority`, `due_at`, a finding whose place changes while you read can be skipped or returned twice. With `due_at`, findings without a due date come last. A finding loses it when it is closed, and gets one when it is reopened. With `-updated_at`, a finding that changes while you read moves to the front, which you have already read. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state: use this order to miss no change. With `relevance`, the newest matches of `q`, at most 500, are ranked: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select.
	Sort FindingSort `json:"sort,omitempty"`
	// Return only these fields of each finding, and its `id`. Lists have `code`, `flow` and `fix` only when they are named here. Leaving out `description`, `evidence`, `remediation` and what else a scanner reported makes large pages faster. Generated clients that require every field of a finding cannot read such pages. An extension.
	Fields []FindingField `json:"fields,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v FindingListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingLocation struct {
	// Path of the file within its data source.
	Path        *string `json:"path"`
	StartLine   *int    `json:"start_line"`
	EndLine     *int    `json:"end_line"`
	StartColumn *int    `json:"start_column"`
	// The first column after the problem.
	EndColumn *int `json:"end_column"`
	// The commit that introduced it.
	Commit *string `json:"commit"`
	// A link to the location.
	URL     *string           `json:"url"`
	Package *PackageReference `json:"package"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingLocation) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingLocation) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingMoves struct {
	// First seen.
	New      int `json:"new"`
	Reopened int `json:"reopened"`
	Fixed    int `json:"fixed"`
	// Accepted as a risk, or a false positive.
	Dismissed int `json:"dismissed"`
	// Closed because their data source was deleted.
	Removed int `json:"removed"`
	// How many more findings were open at the end than at the start.
	Change int `json:"change"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingMoves) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingMoves) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingPlace struct {
	Path      *string `json:"path"`
	StartLine *int    `json:"start_line"`
	EndLine   *int    `json:"end_line"`
	Commit    *string `json:"commit"`
	// The version of the package there; only of findings in packages.
	Version *string `json:"version,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingPlace) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingPlace) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingProgress struct {
	// The first day (UTC), `YYYY-MM-DD`.
	From              string            `json:"from"`
	Repairs           Repairs           `json:"repairs"`
	RepairsBySeverity RepairsBySeverity `json:"repairs_by_severity"`
	Moves             FindingMoves      `json:"moves"`
	// The 50 data sources whose open findings changed most, the one that grew most first.
	ByDataSource []NamedFindingMoves `json:"by_data_source"`
	// The 50 rules whose open findings changed most, the one that grew most first.
	ByRule []NamedFindingMoves `json:"by_rule"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingProgress) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingProgress) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingProgressParams: The parameters of getFindingProgress.
type FindingProgressParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
	// Number of days, today included.
	Days int `json:"days,omitempty"`
}

func (v FindingProgressParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingResolution string

type FindingRule struct {
	// Stable name of the rule.
	ID string `json:"id"`
	// Display name.
	Name string `json:"name"`
	// Its documentation.
	URL *string `json:"url"`
	// The scanner's tags of the rule; those that people give the finding are its `tags`.
	Tags []string `json:"tags"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingRule) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingRule) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingSort: The order; `-` means descending. The default is `-first_seen_at`. With `-severity`, `-priority`, `due_at`, a finding whose place changes while you read can be skipped or returned twice. With `due_at`, findings without a due date come last. A finding loses it when it is closed, and gets one when it is reopened. With `-updated_at`, a finding that changes while you read moves to the front, which you have already read. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state: use this order to miss no change. With `relevance`, the newest matches of `q`, at most 500, are ranked: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select.
type FindingSort string

type FindingStatus string

// FindingStatusFilter: With a leading `-`: any but this.
type FindingStatusFilter string

// FindingSuggestParams: The parameters of suggestFindingValues.
type FindingSuggestParams struct {
	// The text as far as it is typed.
	Q string `json:"q"`
	// The maximum number of values of each filter.
	Limit int `json:"limit,omitempty"`
	// The maximum number of findings.
	Findings int `json:"findings,omitempty"`
}

func (v FindingSuggestParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingSuggestion struct {
	// The filter of the list that has the value.
	Filter FindingSuggestionFilter `json:"filter"`
	Value  string                  `json:"value"`
	// The display name of a rule.
	Label *string `json:"label"`
	// The number of open findings that have it.
	Count int `json:"count"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingSuggestion) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingSuggestion) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingSuggestionFilter: The filter of the list that has the value.
type FindingSuggestionFilter string

type FindingSuggestions struct {
	Data     []FindingSuggestion `json:"data"`
	Findings []FoundFinding      `json:"findings"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingSuggestions) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingSuggestions) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FindingSummary struct {
	Total int `json:"total"`
	// New, triaged or in progress.
	Open       int            `json:"open"`
	BySeverity SeverityCounts `json:"by_severity"`
	ByStatus   StatusCounts   `json:"by_status"`
	// Detection source types that have findings.
	BySource map[string]int `json:"by_source"`
	// Data sources that have findings, the one with most open ones first.
	ByDataSource []DataSourceCount `json:"by_data_source"`
	// The 20 rules with the most open findings.
	ByRule []RuleCount `json:"by_rule"`
	// Open findings by the days since they were first seen, the youngest first; at most a minute old.
	ByAge []AgeCount `json:"by_age"`
	// Findings that opened (new or reopened), closed and were open on each day, today last. The figures of past days never change.
	Daily []DailyCount `json:"daily"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingSummary) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingSummary) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingSummaryParams: The parameters of summarizeFindings.
type FindingSummaryParams struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
	// Length of the daily series.
	Days int `json:"days,omitempty"`
}

func (v FindingSummaryParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// FindingTimelineParams: The parameters of listFindingTimeline.
type FindingTimelineParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v FindingTimelineParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingUpdate struct {
	Status FindingStatus `json:"status,omitempty"`
	// Replaces the tags. Duplicates are removed, ignoring case.
	Tags []string `json:"tags,omitempty"`
	// Id or email address of a member; null for nobody.
	Assignee Nullable[string] `json:"assignee,omitempty"`
	// Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
	Comment string `json:"comment,omitempty"`
	// With status `accepted_risk`: from this time the finding is new again; null for no end.
	AcceptedUntil Nullable[Timestamp] `json:"accepted_until,omitempty"`
	// With status `false_positive` or `accepted_risk`: the class of the reason.
	Justification Nullable[DecisionJustification] `json:"justification,omitempty"`
}

func (v FindingUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type FindingWithPlaces struct {
	// `fnd_…`
	ID string `json:"id"`
	// Its name for people, `F-` and a number: unique in the organization, and the same for its life.
	Number string `json:"number"`
	// Its page in the console.
	URL string `json:"url"`
	// The problem and its location in one line.
	Title string `json:"title"`
	// Markdown.
	Description string   `json:"description"`
	Severity    Severity `json:"severity"`
	// The severity that its scanner reports, while a decision with the outcome `demoted` shows it as `info`; null otherwise.
	ScannerSeverity *Severity     `json:"scanner_severity"`
	Status          FindingStatus `json:"status"`
	// Type of the detection source that reported it.
	Source     string              `json:"source"`
	DataSource DataSourceReference `json:"data_source"`
	Rule       FindingRule         `json:"rule"`
	Location   FindingLocation     `json:"location"`
	// Public identifiers, e.g. CWE, CVE and GHSA.
	Identifiers []string `json:"identifiers"`
	CVSSScore   *float64 `json:"cvss_score"`
	// The offending content; secrets are redacted.
	Evidence *string `json:"evidence"`
	// Instructions for fixing it. Markdown.
	Remediation *string `json:"remediation"`
	// Links to further reading.
	References []string `json:"references"`
	// The tags that people gave it.
	Tags     []string  `json:"tags"`
	Assignee *Assignee `json:"assignee"`
	// Identity within its data source and source, prefixed with a version.
	Fingerprint string `json:"fingerprint"`
	// The number of places in which it occurs.
	Occurrences  int `json:"occurrences"`
	CommentCount int `json:"comment_count"`
	// Why it was resolved, if not by a person.
	Resolution *FindingResolution `json:"resolution"`
	// The time until which the risk is accepted.
	AcceptedUntil *time.Time `json:"accepted_until"`
	// The decision that applies (`/decisions`): the one that set the status, otherwise one that demotes it; null if there is none.
	Decision *FindingDecision `json:"decision"`
	// The number of times it was found again after it was resolved.
	ReopenedCount int `json:"reopened_count"`
	// UTC, to the second.
	FirstSeenAt time.Time `json:"first_seen_at"`
	// When a completed scan last saw it.
	LastSeenAt time.Time `json:"last_seen_at"`
	// When its facts or its triage last changed.
	UpdatedAt time.Time `json:"updated_at"`
	// Rises with each change of it. As `If-Match: "3"` of an update, or among `versions` of many, it refuses what somebody decided on an older state.
	Version int `json:"version"`
	// UTC, to the second.
	ClosedAt *time.Time `json:"closed_at"`
	// By the paths of all its places: `test` in tests, `example` also in documentation, templates and examples; null elsewhere.
	Context *FindingContext `json:"context"`
	// How likely it is true, by its scanner: `high` if nothing was assumed, `medium` if a part was, such as an unknown function, `low` if it is only a hint; null when the tool states none.
	Confidence *FindingConfidence `json:"confidence"`
	// The order of fixing: the higher, the sooner.
	Priority int `json:"priority"`
	// Reasons besides the severity that raised or lowered the priority.
	PriorityReasons []PriorityReason `json:"priority_reasons"`
	// The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.
	Epss *float64 `json:"epss"`
	// The share of all CVEs with that EPSS score or a lower one.
	EpssPercentile *float64 `json:"epss_percentile"`
	// The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.
	Kev *string `json:"kev"`
	// When it must be fixed by the policy; null when it is closed or has no due date.
	DueAt *time.Time `json:"due_at"`
	// The requirements of standards for which it counts, such as `owasp-2021:A03` or `pci-dss-4.0.1:6.2.4`, by its CWEs, its rule and other facts. The filter `standard` has their names.
	Standards []string `json:"standards"`
	// The lines around the place in the scanned version; null when there are none.
	Code *FindingCode `json:"code"`
	// The steps from source to sink, in their order; null when the tool reports none.
	Flow []FlowStep `json:"flow"`
	// A proposed change; null when the tool proposes none.
	Fix *FindingFix `json:"fix"`
	// The places in which it occurs, at most 100.
	Places []FindingPlace `json:"places"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingWithPlaces) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingWithPlaces) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// FindingsEvent: Data of `findings`.
type FindingsEvent struct {
	// Findings that are new since the last such event.
	Created int `json:"created"`
	// Others that changed since then.
	Changed int `json:"changed"`
	// Whether there were more.
	AtLeast bool `json:"at_least"`
	// All these changes happened in this second or later: `updated_from` of the list finds them.
	Since time.Time `json:"since"`
	// The findings that changed after they were first seen, at most 200: with so many, load again what you show.
	Ids []string `json:"ids"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FindingsEvent) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FindingsEvent) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FixChange struct {
	// Path of the file within its data source.
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	// The first column; null for the beginning of the line.
	StartColumn *int `json:"start_column"`
	// The first column after the range; null for the end of the line.
	EndColumn *int `json:"end_column"`
	// The text that replaces the range.
	Text string `json:"text"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FixChange) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FixChange) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FlowStep struct {
	// Counts the steps that the tool reported; a gap stands for steps that were left out.
	Number    int     `json:"number"`
	Path      *string `json:"path"`
	StartLine *int    `json:"start_line"`
	// The event, in the words of the tool.
	Message *string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FlowStep) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FlowStep) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type FoundFinding struct {
	// `fnd_…`
	ID string `json:"id"`
	// Its name for people, `F-` and a number: unique in the organization, and the same for its life.
	Number string `json:"number"`
	// The problem and its location in one line.
	Title      string              `json:"title"`
	Severity   Severity            `json:"severity"`
	Status     FindingStatus       `json:"status"`
	DataSource DataSourceReference `json:"data_source"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *FoundFinding) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v FoundFinding) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// GitCredential: The credential of a private repository. It is stored encrypted and never returned.
type GitCredential struct {
	// User name, for https with a password. Hosts that accept a token as password often accept any name.
	Username string `json:"username,omitempty"`
	// Password, for https.
	Password string `json:"password,omitempty"`
	// Access token, for https, instead of a password.
	Token string `json:"token,omitempty"`
	// Private key in PEM or OpenSSH form, for ssh.
	PrivateKey string `json:"private_key,omitempty"`
	// Passphrase of the private key.
	Passphrase string `json:"passphrase,omitempty"`
}

func (v GitCredential) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ImportByNameParams: The parameters of importResultsByName.
type ImportByNameParams struct {
	// The name of a data source. One line, without control or direction characters; blanks around it are removed.
	DataSourceName string `json:"data_source_name"`
	// The format of the file; detected when not given. The extension `x-titles` names the tools.
	Format ImportFormat `json:"format,omitempty"`
	// The tool that wrote the file, if the file does not name it or names another: its results belong to the detection source of this name. Refused for a file with results of several tools.
	Tool string `json:"tool,omitempty"`
	// Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`.
	CloseMissing bool `json:"close_missing,omitempty"`
}

func (v ImportByNameParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ImportFormat: The format of the file; detected when not given. The extension `x-titles` names the tools.
type ImportFormat string

// ImportParams: The parameters of importResults.
type ImportParams struct {
	// The format of the file; detected when not given. The extension `x-titles` names the tools.
	Format ImportFormat `json:"format,omitempty"`
	// The tool that wrote the file, if the file does not name it or names another: its results belong to the detection source of this name. Refused for a file with results of several tools.
	Tool string `json:"tool,omitempty"`
	// Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`.
	CloseMissing bool `json:"close_missing,omitempty"`
}

func (v ImportParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ImportPreview: The effect that an import would have. `findings.resolved` heeds `close_missing`.
type ImportPreview struct {
	// The format of the file, as `format` names it.
	Format string `json:"format"`
	// Types of the detection sources that the file covers.
	Sources []string `json:"sources"`
	// Results in the file, each finding once.
	Results int `json:"results"`
	// Results that the file marks as already decided.
	Suppressed int                  `json:"suppressed"`
	Findings   ScanFindings         `json:"findings"`
	Missing    ImportPreviewMissing `json:"missing"`
	// Why the file may close nothing, or nothing of the named source, even with `close_missing`; empty when it may.
	Incomplete []string `json:"incomplete"`
	// Sentences with the number of results whose texts or lists are longer than the maximum, and are shortened.
	Cut []string `json:"cut"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ImportPreview) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ImportPreview) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ImportPreviewMissing struct {
	// Open findings and accepted risks here that the file no longer reports: what `close_missing` would close.
	Count      int            `json:"count"`
	BySeverity SeverityCounts `json:"by_severity"`
	// Some of them, at most 10.
	Samples []ImportPreviewSample `json:"samples"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ImportPreviewMissing) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ImportPreviewMissing) MarshalJSON() ([]byte, error) {
	return encodeObject(v, v.Extra, v.absent)
}

type ImportPreviewSample struct {
	// `fnd_…`
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Severity Severity `json:"severity"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ImportPreviewSample) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ImportPreviewSample) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// Installation: The state of the installation: the most severe of its checks, and each of them.
type Installation struct {
	// `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
	State CheckState `json:"state"`
	// When it was checked.
	CheckedAt time.Time           `json:"checked_at"`
	Checks    []InstallationCheck `json:"checks"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Installation) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Installation) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// InstallationCheck: The result of checking one part of the installation.
type InstallationCheck struct {
	// The part of the installation.
	Name CheckName `json:"name"`
	// `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
	State CheckState `json:"state"`
	// The result of the check, as a sentence.
	Summary string `json:"summary"`
	// The next step; null when it is `ok`.
	Action *string `json:"action"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *InstallationCheck) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v InstallationCheck) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Invitation struct {
	// `inv_…`
	ID string `json:"id"`
	// Email address.
	Email string `json:"email"`
	// From the lowest to the highest: each role includes the permissions of the roles before it.
	Role      Role             `json:"role"`
	Status    InvitationStatus `json:"status"`
	InvitedBy *UserReference   `json:"invited_by"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	ExpiresAt time.Time `json:"expires_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Invitation) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Invitation) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type InvitationCreation struct {
	// The address of the person to invite.
	Email string `json:"email"`
	// From the lowest to the highest: each role includes the permissions of the roles before it.
	Role Role `json:"role,omitempty"`
	// Your password: needed to invite an owner, where you have one.
	Password string `json:"password,omitempty"`
}

func (v InvitationCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// InvitationListParams: The parameters of listInvitations.
type InvitationListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v InvitationListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type InvitationStatus string

type KnownRule struct {
	ID string `json:"id"`
	// Display name.
	Name string `json:"name"`
	// The number of findings that have it, closed ones included.
	Count int `json:"count"`
	// How often people dismissed it: the findings that they marked as false positives, and the decisions in force that do so for the rule.
	Dismissed int `json:"dismissed"`
	// How often people confirmed it: the findings with another status that they set, and the decisions in force that accept its risk or triage it.
	Confirmed int `json:"confirmed"`
	// The decision because of which all of its findings are shown as `info`; null if there is none.
	Demotion *string `json:"demotion"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *KnownRule) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v KnownRule) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type KnownTag struct {
	Tag string `json:"tag"`
	// The number of findings that have it, closed ones included.
	Count int `json:"count"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *KnownTag) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v KnownTag) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type LastScan struct {
	// `scan_…`
	ID string `json:"id"`
	// `partial`: some targets failed, and `errors` names each; the others count.
	Status ScanStatus `json:"status"`
	// UTC, to the second.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *LastScan) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v LastScan) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// LastScanStatus: `failed`; `partial`: a part of the data source was not read; `stale`: older than the policy's `stale_after_days`; `ok`.
type LastScanStatus string

type Member struct {
	// `usr_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Email address.
	Email string `json:"email"`
	// From the lowest to the highest: each role includes the permissions of the roles before it.
	Role Role `json:"role"`
	// UTC, to the second.
	JoinedAt time.Time `json:"joined_at"`
	// The time of the last request, to the minute; null before the first.
	LastActiveAt *time.Time `json:"last_active_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Member) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Member) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// MemberListParams: The parameters of listMembers.
type MemberListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v MemberListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// MemberSessionListParams: The parameters of listMemberSessions.
type MemberSessionListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v MemberSessionListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// MemberTokenListParams: The parameters of listMemberTokens.
type MemberTokenListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v MemberTokenListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type MemberUpdate struct {
	// From the lowest to the highest: each role includes the permissions of the roles before it.
	Role Role `json:"role"`
	// Your password: needed to make an owner, where you have one.
	Password string `json:"password,omitempty"`
}

func (v MemberUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Membership struct {
	// `org_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// From the lowest to the highest: each role includes the permissions of the roles before it.
	Role Role `json:"role"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Membership) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Membership) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type NamedFindingMoves struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// First seen.
	New      int `json:"new"`
	Reopened int `json:"reopened"`
	Fixed    int `json:"fixed"`
	// Accepted as a risk, or a false positive.
	Dismissed int `json:"dismissed"`
	// Closed because their data source was deleted.
	Removed int `json:"removed"`
	// How many more findings were open at the end than at the start.
	Change int `json:"change"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *NamedFindingMoves) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v NamedFindingMoves) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type NewAPIToken struct {
	// `tok_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// The scopes to which the token is limited; null for everything that its user may do.
	Scopes []Scope `json:"scopes"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	ExpiresAt *time.Time `json:"expires_at"`
	// To the minute.
	LastUsedAt *time.Time `json:"last_used_at"`
	// The token itself. It is returned only this once.
	Token string `json:"token"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *NewAPIToken) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v NewAPIToken) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type NewDecisionEnd struct {
	// It is in CISA’s catalog of exploited vulnerabilities.
	Kev *bool `json:"kev,omitempty"`
	// Its EPSS score is higher.
	EpssAbove     float64  `json:"epss_above,omitempty"`
	SeverityAbove Severity `json:"severity_above,omitempty"`
	// A version of its package that fixes it is known.
	FixAvailable *bool `json:"fix_available,omitempty"`
	// A scan sees its package in another version.
	VersionChanges *bool `json:"version_changes,omitempty"`
}

func (v NewDecisionEnd) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// NewDecisionScope: All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.
type NewDecisionScope struct {
	// Any of these findings.
	Finding []string `json:"finding,omitempty"`
	// Any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these identifiers or an alias of one; case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// In any of these packages, as package URLs without a version: `pkg:npm/left-pad`.
	Package []string `json:"package,omitempty"`
	// With `package`: all affected versions are in this range, `vers:npm/>=1.0.0|<2.0.0`, by the order of versions of its ecosystem.
	Versions string `json:"versions,omitempty"`
	// All its places are at any of these paths, as the filter `path` of findings reads them.
	Path []string `json:"path,omitempty"`
	// Any of these detection sources.
	Source []string `json:"source,omitempty"`
	// Any of these data sources.
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
}

func (v NewDecisionScope) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type NewInvitation struct {
	// `inv_…`
	ID string `json:"id"`
	// Email address.
	Email string `json:"email"`
	// From the lowest to the highest: each role includes the permissions of the roles before it.
	Role      Role             `json:"role"`
	Status    InvitationStatus `json:"status"`
	InvitedBy *UserReference   `json:"invited_by"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	ExpiresAt time.Time `json:"expires_at"`
	// The link for the person, which is returned only here; null where the platform mails it. It works once.
	URL *string `json:"url"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *NewInvitation) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v NewInvitation) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type OpenedAndClosed struct {
	Opened int `json:"opened"`
	Closed int `json:"closed"`
	// Open at the end of the day; today, open now.
	Open int `json:"open"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *OpenedAndClosed) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v OpenedAndClosed) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Organization struct {
	// `org_…`
	ID   string           `json:"id"`
	Name string           `json:"name"`
	Plan OrganizationPlan `json:"plan"`
	// The number of requests that each API token of the organization may make.
	RateLimit   TokenRateLimit `json:"rate_limit"`
	MemberCount int            `json:"member_count"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// Whether it is the organization that was created first, whose owners may check the installation.
	RunsInstallation bool `json:"runs_installation"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Organization) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Organization) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type OrganizationPlan string

type OrganizationUpdate struct {
	// The name of the organization. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name,omitempty"`
}

func (v OrganizationUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type PackageReference struct {
	// The ecosystem as OSV names it, e.g. `npm`, `PyPI`, `Go`.
	Ecosystem string `json:"ecosystem"`
	// Name of the package.
	Name string `json:"name"`
	// The version that was found.
	Version *string `json:"version"`
	// The first version without the problem, if known.
	FixedVersion *string `json:"fixed_version"`
	// Package URL.
	PURL *string `json:"purl"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *PackageReference) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v PackageReference) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Passkey struct {
	// `psk_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Whether it is kept by an account, and so on several devices.
	IsBackedUp bool `json:"is_backed_up"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	LastUsedAt *time.Time `json:"last_used_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Passkey) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Passkey) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// PasskeyDeleteParams: The parameters of deletePasskey.
type PasskeyDeleteParams struct {
	// Whether your API tokens of all organizations are revoked too; by default they stay.
	RevokeTokens *bool `json:"revoke_tokens,omitempty"`
	// Whether all your passkeys are removed too; by default they stay.
	RemovePasskeys *bool `json:"remove_passkeys,omitempty"`
}

func (v PasskeyDeleteParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// PasskeyListParams: The parameters of listPasskeys.
type PasskeyListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v PasskeyListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type PasskeyUpdate struct {
	// The name of the passkey, for example the device. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name"`
}

func (v PasskeyUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type PasswordChange struct {
	// Your password until now.
	CurrentPassword string `json:"current_password"`
	// 8 to 128 characters.
	NewPassword string `json:"new_password"`
	// Whether your API tokens of all organizations are revoked too; by default they stay.
	RevokeTokens *bool `json:"revoke_tokens,omitempty"`
	// Whether all your passkeys are removed too; by default they stay.
	RemovePasskeys *bool `json:"remove_passkeys,omitempty"`
}

func (v PasswordChange) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type PasswordConfirmation struct {
	// Your password.
	Password string `json:"password"`
	// A code of your authenticator, or a recovery code: needed while a second factor is on.
	Code string `json:"code,omitempty"`
}

func (v PasswordConfirmation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type PermissionCode string

type Policy struct {
	// The days to fix a finding, by its severity and the criticality of its data source.
	DaysToFix DaysToFix `json:"days_to_fix"`
	// Days more for findings in test code, which the path shows.
	TestGraceDays int `json:"test_grace_days"`
	// The conditions for accepting a risk.
	AcceptedRisk AcceptedRiskPolicy `json:"accepted_risk"`
	// Who may request and approve decisions, and what they need.
	Decisions DecisionPolicy `json:"decisions"`
	// The days after which the last complete scan of a data source is too old (`stale`).
	StaleAfterDays int `json:"stale_after_days"`
	// The conditions under which members and their tokens reach the organization.
	SignIn SignInPolicy `json:"sign_in"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Policy) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Policy) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type PolicyPreview struct {
	// Open findings that would be due earlier, or at all.
	Earlier int `json:"earlier"`
	// Open findings that would be due later, or not at all.
	Later int `json:"later"`
	// Open findings that would become overdue at once; `earlier` includes them.
	Overdue int `json:"overdue"`
	// The 100 most urgent of these.
	OverdueNumbers []string `json:"overdue_numbers"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *PolicyPreview) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v PolicyPreview) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type PolicyPreviewRequest struct {
	// The days to fix a finding, by its severity and the criticality of its data source.
	DaysToFix DaysToFixInput `json:"days_to_fix"`
	// Days more for findings in test code, which the path shows.
	TestGraceDays int `json:"test_grace_days"`
}

func (v PolicyPreviewRequest) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type PolicyReplacement struct {
	// The days to fix a finding, by its severity and the criticality of its data source.
	DaysToFix DaysToFixInput `json:"days_to_fix"`
	// Days more for findings in test code, which the path shows.
	TestGraceDays int `json:"test_grace_days"`
	// The conditions for accepting a risk.
	AcceptedRisk AcceptedRiskPolicyInput `json:"accepted_risk"`
	// Who may request and approve decisions, and what they need.
	Decisions *DecisionPolicyInput `json:"decisions,omitempty"`
	// The days after which the last complete scan of a data source is too old (`stale`).
	StaleAfterDays int `json:"stale_after_days,omitempty"`
	// The conditions under which members and their tokens reach the organization.
	SignIn *SignInPolicyInput `json:"sign_in,omitempty"`
	// Whether to accept that the request itself would be refused by the new sign-in policy.
	LockOut *bool `json:"lock_out,omitempty"`
}

func (v PolicyReplacement) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Preferences struct {
	Theme   Theme   `json:"theme"`
	Density Density `json:"density"`
	// The columns of the list of findings, as members of a finding, in order; null for the default ones.
	Columns []string `json:"columns"`
	// Whether single keys act, such as `j`, `k` and `1` to `5`.
	SingleKeys bool `json:"single_keys"`
	// Further preferences of a client: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`.
	Custom any `json:"custom"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Preferences) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v Preferences) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type PreferencesInput struct {
	Theme   Theme   `json:"theme,omitempty"`
	Density Density `json:"density,omitempty"`
	// The columns of the list of findings, as members of a finding, in order; null for the default ones.
	Columns Nullable[[]string] `json:"columns,omitempty"`
	// Whether single keys act, such as `j`, `k` and `1` to `5`.
	SingleKeys *bool `json:"single_keys,omitempty"`
	// Further preferences of a client: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`.
	Custom any `json:"custom,omitempty"`
}

func (v PreferencesInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// PriorityReason: Reasons that raised or lowered the priority: `cvss` (its score counts, not the severity), `test_code`, `fix_available`, `public`, the criticality of the data source, `known_exploited` (KEV), or the percentile of its EPSS score.
type PriorityReason string

type Profile struct {
	// `usr_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Email address.
	Email string `json:"email"`
	// Whether the person has shown, by a mailed link or single sign-on, that the address is theirs. Until then the account belongs to one organization only.
	EmailVerified    bool `json:"email_verified"`
	TwoFactorEnabled bool `json:"two_factor_enabled"`
	// Whether the person can sign in with a password. People without one use single sign-on or passkeys.
	HasPassword  bool       `json:"has_password"`
	Organization Membership `json:"organization"`
	// All organizations that the person belongs to, in the order of joining.
	Organizations []Membership `json:"organizations"`
	// Why the organization refuses this session, which can still read and change its own profile; null when it does not.
	SignInRefusal *SignInRefusal `json:"sign_in_refusal"`
	// The permissions of the caller in the current organization, by role and, for a token, scopes. `views:write` is for private views, `views:share` for shared ones, `views:manage` for those that others share, `owners:write` for making and removing owners, `installation:read` for checking the installation, in the organization that runs it.
	Permissions []PermissionCode `json:"permissions"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Profile) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Profile) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ProfileUpdate struct {
	// The name that others see. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name,omitempty"`
	// The organization to work in.
	OrganizationID string `json:"organization_id,omitempty"`
}

func (v ProfileUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type RecoveryCodes struct {
	// Each code signs you in once without the authenticator. They are returned only this once.
	RecoveryCodes []string `json:"recovery_codes"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *RecoveryCodes) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v RecoveryCodes) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// RefusedApproval: A request that is not approved, with the code of an error and the reason.
type RefusedApproval struct {
	// `dec_…`
	ID      string `json:"id"`
	Code    string `json:"code"`
	Message string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *RefusedApproval) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v RefusedApproval) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Repairs struct {
	// Findings that were resolved, each time counted.
	Fixed int `json:"fixed"`
	// Mean of the days from opening to fix; null without a fix.
	MeanDays *float64 `json:"mean_days"`
	// Nine of ten were fixed within this number of days.
	P90Days *float64 `json:"p90_days"`
	// Fixed by their due time, as it was then.
	DueKept int `json:"due_kept"`
	// Fixed after it. Findings without a due time count in neither.
	DueMissed int `json:"due_missed"`
	// The same of as many days before.
	Before RepairsBefore `json:"before"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Repairs) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Repairs) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// RepairsBefore: The same of as many days before.
type RepairsBefore struct {
	// Findings that were resolved, each time counted.
	Fixed int `json:"fixed"`
	// Mean of the days from opening to fix; null without a fix.
	MeanDays *float64 `json:"mean_days"`
	// Nine of ten were fixed within this number of days.
	P90Days *float64 `json:"p90_days"`
	// Fixed by their due time, as it was then.
	DueKept int `json:"due_kept"`
	// Fixed after it. Findings without a due time count in neither.
	DueMissed int `json:"due_missed"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *RepairsBefore) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v RepairsBefore) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type RepairsBySeverity struct {
	Critical Repairs `json:"critical"`
	High     Repairs `json:"high"`
	Medium   Repairs `json:"medium"`
	Low      Repairs `json:"low"`
	Info     Repairs `json:"info"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *RepairsBySeverity) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v RepairsBySeverity) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type Report struct {
	// `rpt_…`
	ID    string `json:"id"`
	Title string `json:"title"`
	// `ready`: the snapshot is taken and never changes.
	Status ReportStatus `json:"status"`
	// Why the report failed.
	Error *string `json:"error"`
	// The filters of the request.
	Filters ReportSelection `json:"filters"`
	// The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
	Template ReportTemplate `json:"template"`
	// The details and appearance of the document.
	Document ReportDocumentControl `json:"document"`
	// The earlier report that figures are compared with; for a scheduled report, its last ready one.
	CompareTo *string `json:"compare_to"`
	// The figures of the snapshot; null until it is taken.
	Summary *ReportSummary `json:"summary"`
	// The SHA-256 of the snapshot, which its documents also name; null until it is taken. `assay report verify` checks a document against it.
	SnapshotSha256 *string        `json:"snapshot_sha256"`
	CreatedBy      *UserReference `json:"created_by"`
	// The scheduled report that created this report.
	ScheduledReportID *string `json:"scheduled_report_id"`
	// A report begins as a `draft`, is `reviewed`, and then `final`. Its documents name the state.
	State ReportState `json:"state"`
	// The reviewer and the time; null for a draft.
	Reviewed *ReportStep `json:"reviewed"`
	// The person who made it final, and the time; null until then.
	Finalized *ReportStep `json:"finalized"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// When the snapshot was taken, or failed for the last time.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Report) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Report) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ReportCreation struct {
	// The title on the cover. One line, without control or direction characters; blanks around it are removed.
	Title string `json:"title,omitempty"`
	// The filters of `GET /findings`. Without filters, the report covers all findings.
	Filters *ReportFilters `json:"filters,omitempty"`
	// The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
	Template ReportTemplate `json:"template,omitempty"`
	// The details and appearance of the document. Members that are left out have their defaults.
	Document *ReportDocumentControlInput `json:"document,omitempty"`
	// An earlier report, which must be ready: figures show their change since then, and the report lists what changed.
	CompareTo Nullable[string] `json:"compare_to,omitempty"`
}

func (v ReportCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ReportDelivery struct {
	// `rpt_…`
	ReportID string `json:"report_id"`
	// Email address.
	Recipient string `json:"recipient"`
	// `pending`: not sent yet, or to be tried again; `failed`: no attempts are left.
	Status ReportDeliveryStatus `json:"status"`
	// The number of attempts, the successful one included.
	Attempts int `json:"attempts"`
	// Why the last attempt failed.
	Error *string `json:"error"`
	// When the report was created.
	CreatedAt time.Time `json:"created_at"`
	// When the mail server accepted the mail.
	SentAt *time.Time `json:"sent_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ReportDelivery) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ReportDelivery) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ReportDeliveryListParams: The parameters of listReportDeliveries.
type ReportDeliveryListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ReportDeliveryListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ReportDeliveryStatus: `pending`: not sent yet, or to be tried again; `failed`: no attempts are left.
type ReportDeliveryStatus string

// ReportDocumentControl: The details and appearance of the document.
type ReportDocumentControl struct {
	// The version of the document, `1.0` by default.
	Version string `json:"version"`
	// The author of the document; by default, the creator of the report.
	Author *string `json:"author"`
	// The people and groups who receive the document.
	Distribution []string `json:"distribution"`
	// The permitted readers: one of `TLP:CLEAR`, `TLP:GREEN`, `TLP:AMBER`, `TLP:AMBER+STRICT`, `TLP:RED`, or your own words.
	Classification *string `json:"classification"`
	// `en` by default.
	Language ReportLanguage `json:"language"`
	// `a4` by default.
	Paper ReportPaper `json:"paper"`
	// The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white.
	AccentColor *string `json:"accent_color"`
	// A line at the foot of each page.
	Footer *string `json:"footer"`
	// A section before the summary. Markdown.
	Foreword *string `json:"foreword"`
	// A section after the findings. Markdown.
	Conclusion *string `json:"conclusion"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ReportDocumentControl) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ReportDocumentControl) MarshalJSON() ([]byte, error) {
	return encodeObject(v, v.Extra, v.absent)
}

// ReportDocumentControlInput: The details and appearance of the document. Members that are left out have their defaults.
type ReportDocumentControlInput struct {
	// The version of the document, `1.0` by default. One line, without control or direction characters; blanks around it are removed.
	Version string `json:"version,omitempty"`
	// The author of the document; by default, the creator of the report. One line, without control or direction characters; blanks around it are removed.
	Author Nullable[string] `json:"author,omitempty"`
	// The people and groups who receive the document.
	Distribution []string `json:"distribution,omitempty"`
	// The permitted readers: one of `TLP:CLEAR`, `TLP:GREEN`, `TLP:AMBER`, `TLP:AMBER+STRICT`, `TLP:RED`, or your own words. One line, without control or direction characters; blanks around it are removed.
	Classification Nullable[string] `json:"classification,omitempty"`
	// `en` by default.
	Language ReportLanguage `json:"language,omitempty"`
	// `a4` by default.
	Paper ReportPaper `json:"paper,omitempty"`
	// The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white.
	AccentColor Nullable[string] `json:"accent_color,omitempty"`
	// A line at the foot of each page. One line, without control or direction characters; blanks around it are removed.
	Footer Nullable[string] `json:"footer,omitempty"`
	// A section before the summary. Markdown.
	Foreword Nullable[string] `json:"foreword,omitempty"`
	// A section after the findings. Markdown.
	Conclusion Nullable[string] `json:"conclusion,omitempty"`
}

func (v ReportDocumentControlInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ReportEvent: Data of `report`: a report without its figures.
type ReportEvent struct {
	// `rpt_…`
	ID    string `json:"id"`
	Title string `json:"title"`
	// `ready`: the snapshot is taken and never changes.
	Status ReportStatus `json:"status"`
	// Why the report failed.
	Error *string `json:"error"`
	// The scheduled report that created this report.
	ScheduledReportID *string `json:"scheduled_report_id"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// When the snapshot was taken, or failed for the last time.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ReportEvent) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ReportEvent) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ReportExportParams: The parameters of exportReport.
type ReportExportParams struct {
	// Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
	Format ReportFormat `json:"format"`
	// With `format=sarif-github`: the id of the only data source whose findings are exported, as one file.
	DataSource string `json:"data_source,omitempty"`
	// With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly.
	Bom *bool `json:"bom,omitempty"`
	// With `format=pdf` or `docx`: the language; by default `document.language` of the report.
	Language ExportLanguage `json:"language,omitempty"`
	// With `format=pdf`: PDF/UA-1 (`ua-1`, by default), which screen readers need, or PDF/A-2a (`a-2a`) for archives. Both are tagged.
	Standard ExportStandard `json:"standard,omitempty"`
}

func (v ReportExportParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ReportFilters: The filters of `GET /findings`. Without filters, the report covers all findings.
type ReportFilters struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
}

func (v ReportFilters) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ReportFormat: Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
type ReportFormat string

// ReportLanguage: `en` by default.
type ReportLanguage string

// ReportListParams: The parameters of listReports.
type ReportListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ReportListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ReportPaper: `a4` by default.
type ReportPaper string

// ReportSelection: The filters of the request.
type ReportSelection struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity Values[SeverityFilter] `json:"severity,omitempty"`
	// Any of these statuses.
	Status Values[FindingStatusFilter] `json:"status,omitempty"`
	// Any of these detection source types.
	Source Values[string] `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource Values[string] `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag Values[string] `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner Values[string] `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality Values[CriticalityFilter] `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule Values[string] `json:"rule,omitempty"`
	// With any of these tags.
	Tag Values[string] `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee Values[string] `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier Values[string] `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number Values[string] `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path Values[string] `json:"path,omitempty"`
	// In any of these packages (names).
	Package Values[string] `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan Values[string] `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag Values[string] `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard Values[string] `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context Values[FindingContextFilter] `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence Values[FindingConfidenceFilter] `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ReportSelection) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ReportSelection) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ReportState: A report begins as a `draft`, is `reviewed`, and then `final`. Its documents name the state.
type ReportState string

// ReportStateChange: From `draft` to `reviewed`, from `reviewed` to `final` or back to `draft`; an admin also from `final` to `draft`.
type ReportStateChange string

// ReportStatus: `ready`: the snapshot is taken and never changes.
type ReportStatus string

// ReportStep: A step towards the final report.
type ReportStep struct {
	By *UserReference `json:"by"`
	// UTC, to the second.
	At time.Time `json:"at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ReportStep) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ReportStep) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ReportSummary struct {
	Total      int            `json:"total"`
	BySeverity SeverityCounts `json:"by_severity"`
	ByStatus   StatusCounts   `json:"by_status"`
	// Detection source types that have findings.
	BySource map[string]int `json:"by_source"`
	// Data sources that have findings, the one with most open ones first.
	ByDataSource []DataSourceCount `json:"by_data_source"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ReportSummary) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ReportSummary) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ReportTemplate: The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
type ReportTemplate string

type ReportUpdate struct {
	// From `draft` to `reviewed`, from `reviewed` to `final` or back to `draft`; an admin also from `final` to `draft`.
	State ReportStateChange `json:"state"`
}

func (v ReportUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// RepositoryFilePolicy: Whether `.assay/decisions.yaml` and the comments `assay:ignore` of a scanned repository have no effect, request decisions, or make them. A change takes effect with the next scan of each repository.
type RepositoryFilePolicy string

// RepositoryFilePolicyInput: Whether `.assay/decisions.yaml` and the comments `assay:ignore` of a scanned repository have no effect, request decisions, or make them. A change takes effect with the next scan of each repository.
type RepositoryFilePolicyInput string

type RequestToApprove struct {
	// `dec_…`
	ID string `json:"id"`
	// The `version` of the request that you have read. If the request has changed since, the response is 409.
	Version int `json:"version"`
}

func (v RequestToApprove) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// Role: From the lowest to the highest: each role includes the permissions of the roles before it.
type Role string

type RuleCount struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Open  int    `json:"open"`
	Total int    `json:"total"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *RuleCount) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v RuleCount) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// RuleListParams: The parameters of listRules.
type RuleListParams struct {
	// Only those that contain this text, whatever its case.
	Q string `json:"q,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
	// Only these rules, on one page.
	ID []string `json:"id,omitempty"`
	// Only rules that people mostly dismiss. Not together with `id` or `q`.
	OftenDismissed *bool `json:"often_dismissed,omitempty"`
}

func (v RuleListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// Sandbox: The confinement of the programs that the source starts on the worker; with several workers, on the one that confines them least. Null when it starts none, or no worker has reported it. An extension.
type Sandbox struct {
	// `active`: they read and write only what they are given, and reach no network but the egress proxy; `partial`: as `reason` says; `none`: the machine does not allow it; `off`: the operator switched it off.
	Status SandboxStatus `json:"status"`
	// The mechanism that confines them; null when nothing does.
	Kind *SandboxKind `json:"kind"`
	// Why they are not confined, or only in part.
	Reason *string `json:"reason"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Sandbox) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Sandbox) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// SandboxKind: The mechanism that confines them; null when nothing does.
type SandboxKind string

// SandboxStatus: `active`: they read and write only what they are given, and reach no network but the egress proxy; `partial`: as `reason` says; `none`: the machine does not allow it; `off`: the operator switched it off.
type SandboxStatus string

type Scan struct {
	// `scan_…`
	ID string `json:"id"`
	// Type of the detection source.
	Source string `json:"source"`
	// `partial`: some targets failed, and `errors` names each; the others count.
	Status      ScanStatus     `json:"status"`
	Trigger     ScanTrigger    `json:"trigger"`
	RequestedBy *UserReference `json:"requested_by"`
	// Ids of the data sources it was narrowed to; null for all that the source handles.
	DataSources []string     `json:"data_sources"`
	Progress    ScanProgress `json:"progress"`
	Findings    ScanFindings `json:"findings"`
	// The open findings of a completed import’s tools in its data source, before and after. Null for other scans.
	BySeverity *ScanSeverities `json:"by_severity"`
	// The number of findings of a completed import’s tools in its data source that it does not report and that stay closed by a decision (`false_positive`). Null for other scans.
	KeptClosed *int `json:"kept_closed"`
	// The versions of tools by detection source: of an import, as its file names them; otherwise of the program that ran. Empty while none is known.
	Tools []ScanTool `json:"tools"`
	// Targets that failed; nothing is closed there.
	Errors []ScanMessage `json:"errors"`
	// Places that a completed target left out.
	Warnings []ScanMessage `json:"warnings"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	StartedAt *time.Time `json:"started_at"`
	// UTC, to the second.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Scan) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Scan) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ScanEvent: Data of `scan`: a scan, imports included, without its lists.
type ScanEvent struct {
	// `scan_…`
	ID string `json:"id"`
	// Type of the detection source.
	Source string `json:"source"`
	// `partial`: some targets failed, and `errors` names each; the others count.
	Status      ScanStatus     `json:"status"`
	Trigger     ScanTrigger    `json:"trigger"`
	RequestedBy *UserReference `json:"requested_by"`
	Progress    ScanProgress   `json:"progress"`
	Findings    ScanFindings   `json:"findings"`
	// The open findings of a completed import’s tools in its data source, before and after. Null for other scans.
	BySeverity *ScanSeverities `json:"by_severity"`
	// The number of findings of a completed import’s tools in its data source that it does not report and that stay closed by a decision (`false_positive`). Null for other scans.
	KeptClosed *int `json:"kept_closed"`
	// The versions of tools by detection source: of an import, as its file names them; otherwise of the program that ran. Empty while none is known.
	Tools []ScanTool `json:"tools"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	StartedAt *time.Time `json:"started_at"`
	// UTC, to the second.
	CompletedAt  *time.Time `json:"completed_at"`
	ErrorCount   int        `json:"error_count"`
	WarningCount int        `json:"warning_count"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanEvent) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanEvent) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanFindings struct {
	// Seen for the first time.
	New int `json:"new"`
	// Known and seen again.
	Seen int `json:"seen"`
	// Came back after they had been resolved.
	Reopened int `json:"reopened"`
	// Gone.
	Resolved int `json:"resolved"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanFindings) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanFindings) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ScanListParams: The parameters of listScans.
type ScanListParams struct {
	// By any of these detection sources.
	Source []string `json:"source,omitempty"`
	// In any of these statuses.
	Status []ScanStatus `json:"status,omitempty"`
	// Scans of any of these data sources (ids).
	DataSource []string `json:"data_source,omitempty"`
	// Created at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	CreatedFrom Timestamp `json:"created_from,omitempty"`
	// Created at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
	CreatedTo Timestamp `json:"created_to,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ScanListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ScanMessage struct {
	// `ds_…`
	DataSourceID   string `json:"data_source_id"`
	DataSourceName string `json:"data_source_name"`
	Message        string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanMessage) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanMessage) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanProgress struct {
	// Data sources that it scans.
	TargetsTotal int `json:"targets_total"`
	// The number of them that have ended.
	TargetsDone int `json:"targets_done"`
	Percent     int `json:"percent"`
	// Its current step.
	Message *string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanProgress) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanProgress) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanSchedule struct {
	// `sch_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Type of the detection source, if there is just one.
	Source *string `json:"source"`
	// Types of the detection sources; null for all that the platform can run when it is due.
	Sources []string `json:"sources"`
	// The ids of the data sources; null for all that a source supports, or for those with the tags alone.
	DataSources []string `json:"data_sources"`
	// Data sources with any of these tags when it is due are scanned too; null for none.
	DataSourceTags []string `json:"data_source_tags"`
	Cron           string   `json:"cron"`
	Timezone       string   `json:"timezone"`
	Enabled        bool     `json:"enabled"`
	// The next due time; null while it is disabled.
	NextRunAt *time.Time `json:"next_run_at"`
	// UTC, to the second.
	LastRunAt *time.Time `json:"last_run_at"`
	// The last scan that it started, or that was already running; of several, the first.
	LastScanID *string `json:"last_scan_id"`
	// The scans of the last due time that started any: at most one for each source.
	LastScanIds []string `json:"last_scan_ids"`
	// Why the last due time started no scan, or not all of them.
	LastError *string `json:"last_error"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	UpdatedAt time.Time `json:"updated_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanSchedule) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanSchedule) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanScheduleCreation struct {
	// The display name. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name,omitempty"`
	// The type of the detection source: short for `sources` with one element. Null is as if left out.
	Source Nullable[string] `json:"source,omitempty"`
	// The types of several detection sources; null for all that the platform can run when it is due.
	Sources Nullable[[]string] `json:"sources,omitempty"`
	// The ids of the data sources to scan; null for all that a source supports, or for those with the tags alone.
	DataSources Nullable[[]string] `json:"data_sources,omitempty"`
	// Also scans the data sources that have any of these tags when it is due, including tags added later; null for none.
	DataSourceTags Nullable[[]string] `json:"data_source_tags,omitempty"`
	// Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
	Cron string `json:"cron"`
	// The IANA time zone of `cron`.
	Timezone string `json:"timezone,omitempty"`
	// Whether it runs when it is due.
	Enabled *bool `json:"enabled,omitempty"`
}

func (v ScanScheduleCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ScanScheduleListParams: The parameters of listScanSchedules.
type ScanScheduleListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ScanScheduleListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ScanScheduleUpdate struct {
	// The display name. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name,omitempty"`
	// The type of the detection source: short for `sources` with one element. Null is as if left out.
	Source Nullable[string] `json:"source,omitempty"`
	// The types of several detection sources; null for all that the platform can run when it is due.
	Sources Nullable[[]string] `json:"sources,omitempty"`
	// The ids of the data sources to scan; null for all that a source supports, or for those with the tags alone.
	DataSources Nullable[[]string] `json:"data_sources,omitempty"`
	// Also scans the data sources that have any of these tags when it is due, including tags added later; null for none.
	DataSourceTags Nullable[[]string] `json:"data_source_tags,omitempty"`
	// Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
	Cron string `json:"cron,omitempty"`
	// The IANA time zone of `cron`.
	Timezone string `json:"timezone,omitempty"`
	// Whether it runs when it is due.
	Enabled *bool `json:"enabled,omitempty"`
}

func (v ScanScheduleUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ScanSeverities struct {
	Before SeverityCounts `json:"before"`
	After  SeverityCounts `json:"after"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanSeverities) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanSeverities) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ScanStartParams: The parameters of startScan.
type ScanStartParams struct {
	// Scan only this data source (id). An extension.
	DataSource string `json:"data_source,omitempty"`
}

func (v ScanStartParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ScanStatus: `partial`: some targets failed, and `errors` names each; the others count.
type ScanStatus string

type ScanTarget struct {
	DataSource DataSourceReference `json:"data_source"`
	Status     ScanTargetStatus    `json:"status"`
	Progress   ScanTargetProgress  `json:"progress"`
	// Set while a running target waits for its next attempt, because its program was killed, or its host was not reached or was lost; null otherwise.
	Retry    *ScanTargetRetry `json:"retry"`
	Findings ScanFindings     `json:"findings"`
	// Why the target failed.
	Errors []string `json:"errors"`
	// Places that the completed target left out.
	Warnings []string `json:"warnings"`
	// Why no finding was closed here; null while the target is not done, and when findings were closed.
	ClosedNothingBecause *ClosedNothing `json:"closed_nothing_because"`
	// The commit that it read, of a git repository.
	Revision *string `json:"revision"`
	// UTC, to the second.
	StartedAt *time.Time `json:"started_at"`
	// UTC, to the second.
	CompletedAt *time.Time `json:"completed_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanTarget) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanTarget) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ScanTargetListParams: The parameters of listScanTargets.
type ScanTargetListParams struct {
	// In any of these statuses.
	Status []ScanTargetStatus `json:"status,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ScanTargetListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ScanTargetProgress struct {
	Percent int `json:"percent"`
	// Its current step.
	Message *string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanTargetProgress) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanTargetProgress) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanTargetRetry struct {
	// The number of failures so far.
	Count int `json:"count"`
	// Why the last attempt failed.
	Reason string `json:"reason"`
	// When the next attempt begins, in UTC to the second; null while it runs.
	At *time.Time `json:"at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanTargetRetry) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanTargetRetry) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanTargetStatus string

type ScanTool struct {
	Source  string `json:"source"`
	Version string `json:"version"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScanTool) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScanTool) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScanTrigger string

// ScannerStatus: The last scan or import of a data source by one scanner. Cancelled ones do not count.
type ScannerStatus struct {
	// The type of the detection source.
	Source string `json:"source"`
	// `failed`; `partial`: a part of the data source was not read; `stale`: older than the policy's `stale_after_days`; `ok`.
	Status LastScanStatus `json:"status"`
	// When that scan or import ended.
	At time.Time `json:"at"`
	// Why it is not `ok`.
	Reason *string `json:"reason"`
	// The commit of the git repository that it read; null for imports, other kinds of data sources, and a scan that failed.
	Revision *string `json:"revision"`
	// Whether another scanner has read a newer revision since.
	IsBehind bool `json:"is_behind"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScannerStatus) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScannerStatus) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScheduledReport struct {
	// `srp_…`
	ID    string `json:"id"`
	Title string `json:"title"`
	// The filters of the request.
	Filters ReportSelection `json:"filters"`
	// Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
	Format ReportFormat `json:"format"`
	// The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
	Template ReportTemplate `json:"template"`
	// The details and appearance of the document.
	Document   ReportDocumentControl `json:"document"`
	Recipients []string              `json:"recipients"`
	Cron       string                `json:"cron"`
	Timezone   string                `json:"timezone"`
	Enabled    bool                  `json:"enabled"`
	// The next due time; null while it is disabled.
	NextRunAt *time.Time `json:"next_run_at"`
	// UTC, to the second.
	LastRunAt *time.Time `json:"last_run_at"`
	// The last report that it created; null when that report is deleted.
	LastReportID *string `json:"last_report_id"`
	// Why the last due time created no report, why that report failed, or which of its mails are not sent yet and why.
	LastError *string `json:"last_error"`
	// The user on whose behalf it runs, and the meaning of `me` in the filters.
	CreatedBy *UserReference `json:"created_by"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	UpdatedAt time.Time `json:"updated_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ScheduledReport) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ScheduledReport) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ScheduledReportCreation struct {
	// The title on the cover. One line, without control or direction characters; blanks around it are removed.
	Title string `json:"title,omitempty"`
	// The filters of `GET /findings`. Without filters, the report covers all findings.
	Filters *ReportFilters `json:"filters,omitempty"`
	// Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
	Format ReportFormat `json:"format,omitempty"`
	// The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
	Template ReportTemplate `json:"template,omitempty"`
	// The details and appearance of the document. Members that are left out have their defaults.
	Document *ReportDocumentControlInput `json:"document,omitempty"`
	// Email addresses of members or other people. Each gets a separate email.
	Recipients []string `json:"recipients"`
	// Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
	Cron string `json:"cron"`
	// The IANA time zone of `cron`.
	Timezone string `json:"timezone,omitempty"`
	// Whether it runs when it is due.
	Enabled *bool `json:"enabled,omitempty"`
}

func (v ScheduledReportCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ScheduledReportListParams: The parameters of listScheduledReports.
type ScheduledReportListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ScheduledReportListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ScheduledReportUpdate struct {
	// The title on the cover. One line, without control or direction characters; blanks around it are removed.
	Title string `json:"title,omitempty"`
	// The filters of `GET /findings`. Without filters, the report covers all findings.
	Filters *ReportFilters `json:"filters,omitempty"`
	// Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
	Format ReportFormat `json:"format,omitempty"`
	// The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
	Template ReportTemplate `json:"template,omitempty"`
	// The details and appearance of the document. Members that are left out have their defaults.
	Document *ReportDocumentControlInput `json:"document,omitempty"`
	// Email addresses of members or other people. Each gets a separate email.
	Recipients []string `json:"recipients,omitempty"`
	// Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
	Cron string `json:"cron,omitempty"`
	// The IANA time zone of `cron`.
	Timezone string `json:"timezone,omitempty"`
	// Whether it runs when it is due.
	Enabled *bool `json:"enabled,omitempty"`
}

func (v ScheduledReportUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Scope string

// SearchedBranches: `all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.
type SearchedBranches string

type Session struct {
	// `ses_…`
	ID string `json:"id"`
	// Whether this request uses this session.
	IsCurrent bool `json:"is_current"`
	// The address from which the person signed in.
	IPAddress *string `json:"ip_address"`
	// The browser, as it names itself.
	UserAgent *string `json:"user_agent"`
	// When the person signed in.
	CreatedAt time.Time `json:"created_at"`
	// The time of the last request, to the minute; null before the first.
	LastActiveAt *time.Time `json:"last_active_at"`
	// UTC, to the second.
	ExpiresAt time.Time `json:"expires_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *Session) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v Session) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// SessionListParams: The parameters of listSessions.
type SessionListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v SessionListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Severity string

type SeverityCounts struct {
	Critical int `json:"critical"`
	High     int `json:"high"`
	Medium   int `json:"medium"`
	Low      int `json:"low"`
	Info     int `json:"info"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *SeverityCounts) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v SeverityCounts) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// SeverityFilter: With a leading `-`: any but this.
type SeverityFilter string

// SignInPolicy: The conditions under which members and their tokens reach the organization.
type SignInPolicy struct {
	// Whether sessions need a second factor: a code of an authenticator, a recovery code, a passkey, or single sign-on, whose provider is responsible for it.
	SecondFactor bool `json:"second_factor"`
	// Whether only sessions by single sign-on are accepted.
	SingleSignOn bool `json:"single_sign_on"`
	// Whether sessions that started with a password, with or without a code, are accepted.
	Password bool `json:"password"`
	// The maximum life of API tokens, in days from their creation; null for no limit. Existing tokens that would live longer end then.
	TokenLongestDays *int `json:"token_longest_days"`
	// The addresses and networks (`192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`) from which tokens and sessions are accepted; empty for all.
	AllowedAddresses []string `json:"allowed_addresses"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *SignInPolicy) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v SignInPolicy) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// SignInPolicyInput: The conditions under which members and their tokens reach the organization.
type SignInPolicyInput struct {
	// Whether sessions need a second factor: a code of an authenticator, a recovery code, a passkey, or single sign-on, whose provider is responsible for it.
	SecondFactor bool `json:"second_factor"`
	// Whether only sessions by single sign-on are accepted.
	SingleSignOn bool `json:"single_sign_on"`
	// Whether sessions that started with a password, with or without a code, are accepted.
	Password bool `json:"password"`
	// The maximum life of API tokens, in days from their creation; null for no limit. Existing tokens that would live longer end then.
	TokenLongestDays Nullable[int] `json:"token_longest_days"`
	// The addresses and networks (`192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`) from which tokens and sessions are accepted; empty for all.
	AllowedAddresses []string `json:"allowed_addresses"`
}

func (v SignInPolicyInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type SignInRefusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *SignInRefusal) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v SignInRefusal) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type StatusCounts struct {
	New           int `json:"new"`
	Triaged       int `json:"triaged"`
	InProgress    int `json:"in_progress"`
	Resolved      int `json:"resolved"`
	FalsePositive int `json:"false_positive"`
	AcceptedRisk  int `json:"accepted_risk"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *StatusCounts) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v StatusCounts) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// SuggestedConfig: The `config` to add it with.
type SuggestedConfig struct {
	// The URL of the repository.
	URL string `json:"url"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *SuggestedConfig) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v SuggestedConfig) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// TagListParams: The parameters of listTags.
type TagListParams struct {
	// Only those that contain this text, whatever its case.
	Q string `json:"q,omitempty"`
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v TagListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type Theme string

type TimelineEntry struct {
	// `his_…` of a change, `cmt_…` of a comment.
	ID string `json:"id"`
	// UTC, to the second.
	At   time.Time         `json:"at"`
	Kind TimelineEntryKind `json:"kind"`
	// The person or program that made the change.
	Actor ChangeActor `json:"actor"`
	// The data source in which a scan saw the finding, or no longer saw it; null for other changes.
	DataSource *DataSourceReference `json:"data_source"`
	// Empty for a comment.
	Changes []FieldChange `json:"changes"`
	// Null for a change.
	Comment *FindingComment `json:"comment"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *TimelineEntry) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v TimelineEntry) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type TimelineEntryKind string

type TimetablePreview struct {
	Cron     string `json:"cron"`
	Timezone string `json:"timezone"`
	// The timetable in English.
	Description string `json:"description"`
	// The next due times; fewer than five if there are no more.
	NextRuns []time.Time `json:"next_runs"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *TimetablePreview) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v TimetablePreview) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type TimetablePreviewRequest struct {
	// Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
	Cron string `json:"cron"`
	// The IANA time zone of `cron`.
	Timezone string `json:"timezone,omitempty"`
}

func (v TimetablePreviewRequest) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// TokenListParams: The parameters of listTokens.
type TokenListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v TokenListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// TokenRateLimit: The number of requests that each API token of the organization may make.
type TokenRateLimit struct {
	RequestsPerMinute int `json:"requests_per_minute"`
	BurstPerMinute    int `json:"burst_per_minute"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *TokenRateLimit) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v TokenRateLimit) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type TwoFactorCode struct {
	// The six digits that the authenticator shows.
	Code string `json:"code"`
}

func (v TwoFactorCode) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type TwoFactorRemoval struct {
	// Your password.
	Password string `json:"password"`
	// A code of your authenticator, or a recovery code: needed while a second factor is on.
	Code string `json:"code,omitempty"`
	// Whether your API tokens of all organizations are revoked too; by default they stay.
	RevokeTokens *bool `json:"revoke_tokens,omitempty"`
	// Whether all your passkeys are removed too; by default they stay.
	RemovePasskeys *bool `json:"remove_passkeys,omitempty"`
}

func (v TwoFactorRemoval) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type TwoFactorSetup struct {
	// The secret in base32, to type into an authenticator.
	Secret string `json:"secret"`
	// The secret as `otpauth://` URI, to show as a QR code.
	URI string `json:"uri"`
	// Each code signs you in once without the authenticator. They are returned only this once.
	RecoveryCodes []string `json:"recovery_codes"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *TwoFactorSetup) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v TwoFactorSetup) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type UserReference struct {
	// `usr_…`
	ID   string `json:"id"`
	Name string `json:"name"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *UserReference) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v UserReference) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type View struct {
	// `view_…`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.
	Shared bool `json:"shared"`
	// Filters of the list of findings, several values as an array; `{}` selects all findings.
	Filter ViewFilter `json:"filter"`
	// The order of the list; null for its default. `relevance` needs a filter with `q`.
	Sort *ViewSort `json:"sort"`
	// The columns to show, as members of a finding, in order; null for the default ones.
	Columns []string `json:"columns"`
	// The person who made it; null when that person has left the organization.
	Owner *UserReference `json:"owner"`
	// Whether you may change and delete it.
	Editable bool `json:"editable"`
	// UTC, to the second.
	CreatedAt time.Time `json:"created_at"`
	// UTC, to the second.
	UpdatedAt time.Time `json:"updated_at"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *View) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v View) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

type ViewCreation struct {
	// Unique, case aside, among your private views or among the shared ones. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name"`
	// Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.
	Shared *bool `json:"shared,omitempty"`
	// Filters of the list of findings, several values as an array; `{}` selects all findings.
	Filter ViewFilterInput `json:"filter"`
	// The order of the list; null for its default. `relevance` needs a filter with `q`.
	Sort Nullable[ViewSort] `json:"sort,omitempty"`
	// The columns to show, as members of a finding, in order; null for the default ones.
	Columns Nullable[[]string] `json:"columns,omitempty"`
}

func (v ViewCreation) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ViewFilter: Filters of the list of findings, several values as an array; `{}` selects all findings.
type ViewFilter struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`

	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage `json:"-"`
	absent []string
}

func (v *ViewFilter) UnmarshalJSON(data []byte) error {
	return decodeObject(data, v, &v.Extra, &v.absent)
}

func (v ViewFilter) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }

// ViewFilterInput: Filters of the list of findings, several values as an array; `{}` selects all findings.
type ViewFilterInput struct {
	// Any of these severities. A leading `-` excludes one, here and in all lists.
	Severity []SeverityFilter `json:"severity,omitempty"`
	// Any of these statuses.
	Status []FindingStatusFilter `json:"status,omitempty"`
	// Any of these detection source types.
	Source []string `json:"source,omitempty"`
	// In any of these data sources (ids or names).
	DataSource []string `json:"data_source,omitempty"`
	// In data sources with any of these tags.
	DataSourceTag []string `json:"data_source_tag,omitempty"`
	// In data sources that any of these people own: an id, an email address, `me`, or `none`.
	Owner []string `json:"owner,omitempty"`
	// In data sources of any of these criticalities.
	Criticality []CriticalityFilter `json:"criticality,omitempty"`
	// Findings of any of these rules (ids).
	Rule []string `json:"rule,omitempty"`
	// With any of these tags.
	Tag []string `json:"tag,omitempty"`
	// Assigned to any of these: an id, an email address, `me`, or `none`.
	Assignee []string `json:"assignee,omitempty"`
	// With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.
	Identifier []string `json:"identifier,omitempty"`
	// Findings with any of these numbers: `F-1042`.
	Number []string `json:"number,omitempty"`
	// First seen at or after this time. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	From Timestamp `json:"from,omitempty"`
	// First seen at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	To Timestamp `json:"to,omitempty"`
	// Changed at or after this time. With `sort=updated_at`, the way to follow all changes. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedFrom Timestamp `json:"updated_from,omitempty"`
	// Last changed at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	UpdatedTo Timestamp `json:"updated_to,omitempty"`
	// At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
	Path []string `json:"path,omitempty"`
	// In any of these packages (names).
	Package []string `json:"package,omitempty"`
	// Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.
	Scan []string `json:"scan,omitempty"`
	// Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.
	RuleTag []string `json:"rule_tag,omitempty"`
	// That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.
	Standard []string `json:"standard,omitempty"`
	// Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
	Kev *bool `json:"kev,omitempty"`
	// `test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.
	Context []FindingContextFilter `json:"context,omitempty"`
	// How likely it is true; `none`: its tool states no confidence.
	Confidence []FindingConfidenceFilter `json:"confidence,omitempty"`
	// With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
	Unique *bool `json:"unique,omitempty"`
	// Whether it came back after it was resolved.
	Reopened *bool `json:"reopened,omitempty"`
	// Whether somebody has commented on it.
	Commented *bool `json:"commented,omitempty"`
	// Its risk is accepted until this time or an earlier one. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	AcceptedUntilTo Timestamp `json:"accepted_until_to,omitempty"`
	// Whether it should be fixed by now: its due date has passed.
	Overdue *bool `json:"overdue,omitempty"`
	// Due at or before this time, to the second. A time of RFC 3339, or one from now on in hours, days or weeks: `7d`, `-30d`, `-12h`. Days are those of UTC, and whole.
	DueTo Timestamp `json:"due_to,omitempty"`
	// Findings of this priority or a higher one.
	PriorityMin int `json:"priority_min,omitempty"`
	// With an EPSS score of at least this, 0 to 1.
	EpssMin float64 `json:"epss_min,omitempty"`
	// Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
	Q string `json:"q,omitempty"`
}

func (v ViewFilterInput) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

// ViewListParams: The parameters of listViews.
type ViewListParams struct {
	// The maximum number of items on a page.
	Limit int `json:"limit,omitempty"`
	// The `next_cursor` of the page before, with the same filters and sort.
	NextCursor string `json:"next_cursor,omitempty"`
}

func (v ViewListParams) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }

type ViewSort string

type ViewUpdate struct {
	// Unique, case aside, among your private views or among the shared ones. One line, without control or direction characters; blanks around it are removed.
	Name string `json:"name,omitempty"`
	// Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.
	Shared *bool `json:"shared,omitempty"`
	// Filters of the list of findings, several values as an array; `{}` selects all findings.
	Filter *ViewFilterInput `json:"filter,omitempty"`
	// The order of the list; null for its default. `relevance` needs a filter with `q`.
	Sort Nullable[ViewSort] `json:"sort,omitempty"`
	// The columns to show, as members of a finding, in order; null for the default ones.
	Columns Nullable[[]string] `json:"columns,omitempty"`
}

func (v ViewUpdate) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }
