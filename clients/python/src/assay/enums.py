# Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.
"""The values that this version of the library knows. Each is a text: `Severity.HIGH == "high"`."""

from ._enum import TextEnum

__all__ = [
    "AuditAction",
    "AuditActorType",
    "AuditFormat",
    "BulkOperationStatus",
    "ChangeActorKind",
    "CheckName",
    "CheckState",
    "ClosedNothingCode",
    "ConnectionCode",
    "Criticality",
    "CriticalityFilter",
    "DataSourceKind",
    "DataSourceSort",
    "DataSourceStatus",
    "Density",
    "DetectionSourceMode",
    "DetectionSourceStatus",
    "ErrorPlace",
    "Exposure",
    "FacetField",
    "FailedSignInMethod",
    "FindingContextFilter",
    "FindingExportFormat",
    "FindingExportSort",
    "FindingField",
    "FindingGrouping",
    "FindingResolution",
    "FindingSort",
    "FindingStatus",
    "FindingStatusFilter",
    "ImportFormat",
    "InvitationStatus",
    "OrganizationPlan",
    "PermissionCode",
    "PriorityReason",
    "ReportDeliveryStatus",
    "ReportDocumentState",
    "ReportFormat",
    "ReportLanguage",
    "ReportPaper",
    "ReportStatus",
    "ReportTemplate",
    "Role",
    "SandboxKind",
    "SandboxStatus",
    "ScanStatus",
    "ScanTargetStatus",
    "ScanTrigger",
    "Scope",
    "Severity",
    "SeverityFilter",
    "SignInStatus",
    "Theme",
    "TimelineEntryKind",
    "ViewSort",
]


class AuditAction(TextEnum):
    """
    The values of `AuditAction`.
    """

    ORGANIZATION_CREATED = "organization.created"
    ORGANIZATION_UPDATED = "organization.updated"
    ORGANIZATION_LIMITS_CHANGED = "organization.limits_changed"
    POLICY_UPDATED = "policy.updated"
    MEMBER_ADDED = "member.added"
    MEMBER_JOINED = "member.joined"
    MEMBER_ROLE_CHANGED = "member.role_changed"
    MEMBER_REMOVED = "member.removed"
    MEMBER_SESSIONS_ENDED = "member.sessions_ended"
    INVITATION_CREATED = "invitation.created"
    INVITATION_RESENT = "invitation.resent"
    INVITATION_REVOKED = "invitation.revoked"
    INVITATION_ACCEPTED = "invitation.accepted"
    TOKEN_CREATED = "token.created"
    TOKEN_REVOKED = "token.revoked"
    ACCOUNT_PASSWORD_RESET = "account.password_reset"
    ACCOUNT_SIGNED_IN = "account.signed_in"
    ACCOUNT_SIGN_IN_FAILED = "account.sign_in_failed"
    ACCOUNT_SIGNED_OUT = "account.signed_out"
    ACCOUNT_SESSION_ENDED = "account.session_ended"
    ACCOUNT_PASSWORD_RECOVERED = "account.password_recovered"
    ACCOUNT_CLAIMED = "account.claimed"
    ACCOUNT_JOINED = "account.joined"
    ACCOUNT_EMAIL_CHANGED = "account.email_changed"
    ACCOUNT_PASSWORD_CHANGED = "account.password_changed"
    ACCOUNT_TWO_FACTOR_ENABLED = "account.two_factor_enabled"
    ACCOUNT_TWO_FACTOR_REMOVED = "account.two_factor_removed"
    ACCOUNT_TWO_FACTOR_REPLACED = "account.two_factor_replaced"
    ACCOUNT_RECOVERY_CODE_USED = "account.recovery_code_used"
    ACCOUNT_RECOVERY_CODES_RENEWED = "account.recovery_codes_renewed"
    ACCOUNT_DISABLED = "account.disabled"
    ACCOUNT_ENABLED = "account.enabled"
    ACCOUNT_SESSIONS_ENDED = "account.sessions_ended"
    ACCOUNT_TWO_FACTOR_RESET = "account.two_factor_reset"
    ACCOUNT_PASSKEY_ADDED = "account.passkey_added"
    ACCOUNT_PASSKEY_REMOVED = "account.passkey_removed"
    ACCOUNT_RENAMED = "account.renamed"
    DATA_SOURCE_CREATED = "data_source.created"
    DATA_SOURCE_UPDATED = "data_source.updated"
    DATA_SOURCE_DELETED = "data_source.deleted"
    SCAN_CANCELLED = "scan.cancelled"
    SCAN_SCHEDULE_CREATED = "scan_schedule.created"
    SCAN_SCHEDULE_UPDATED = "scan_schedule.updated"
    SCAN_SCHEDULE_DELETED = "scan_schedule.deleted"
    REPORT_CREATED = "report.created"
    REPORT_EXPORTED = "report.exported"
    REPORT_DELETED = "report.deleted"
    SCHEDULED_REPORT_CREATED = "scheduled_report.created"
    SCHEDULED_REPORT_UPDATED = "scheduled_report.updated"
    SCHEDULED_REPORT_DELETED = "scheduled_report.deleted"
    FINDINGS_EXPORTED = "findings.exported"
    FINDINGS_UPDATED = "findings.updated"
    FINDINGS_UPDATE_UNDONE = "findings.update_undone"
    AUDIT_LOG_EXPORTED = "audit_log.exported"
    VIEW_SHARED = "view.shared"
    VIEW_UPDATED = "view.updated"
    VIEW_UNSHARED = "view.unshared"
    VIEW_DELETED = "view.deleted"


class AuditActorType(TextEnum):
    """
    `system`: the operator at the command line, or the platform itself.
    """

    USER = "user"
    TOKEN = "token"
    SYSTEM = "system"


class AuditFormat(TextEnum):
    """
    Overrides the header `Accept`; `json` by default.
    """

    JSON = "json"
    CSV = "csv"


class BulkOperationStatus(TextEnum):
    """
    `failed`: it ended early; what it has changed can be undone.
    """

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    UNDOING = "undoing"
    UNDONE = "undone"


class ChangeActorKind(TextEnum):
    """
    The values of `ChangeActorKind`.
    """

    USER = "user"
    SCAN = "scan"
    SYSTEM = "system"


class CheckName(TextEnum):
    """
    The part of the installation.
    """

    DATABASE = "database"
    ROOM = "room"
    CLOCK = "clock"
    BACKUP = "backup"
    JOBS = "jobs"
    SCHEDULES = "schedules"
    SCHEMA = "schema"
    ROLES = "roles"
    REPLICAS = "replicas"
    FEEDS = "feeds"


class CheckState(TextEnum):
    """
    `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
    """

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


class ClosedNothingCode(TextEnum):
    """
        - `failed`: The target failed: what it found stays, and what it did not see may still be there.
    - `cancelled`: The scan was cancelled before the target was done.
    - `incomplete`: Not all of the data source was covered: the warnings say what was left out.
    - `not_requested`: The import did not ask for it: send `close_missing=true` to close what the file no longer reports.
    - `overtaken`: A scan that began later ended first, and has seen a newer state.
    - `nothing_missing`: Everything that was open before was seen again.
    """

    FAILED = "failed"
    CANCELLED = "cancelled"
    INCOMPLETE = "incomplete"
    NOT_REQUESTED = "not_requested"
    OVERTAKEN = "overtaken"
    NOTHING_MISSING = "nothing_missing"


class ConnectionCode(TextEnum):
    """
    `ok`, or the reason: `refused` by the network policy, at the address or after a redirect; `host_not_found`, `unreachable`, `timeout`; `untrusted`: the certificate is not trusted; `authentication_failed` or `invalid_credential`; `not_found`, `branch_not_found` or `empty`, for repositories; `unavailable`: the api has no git; `failed`: anything else.
    """

    OK = "ok"
    REFUSED = "refused"
    HOST_NOT_FOUND = "host_not_found"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    UNTRUSTED = "untrusted"
    AUTHENTICATION_FAILED = "authentication_failed"
    INVALID_CREDENTIAL = "invalid_credential"
    NOT_FOUND = "not_found"
    BRANCH_NOT_FOUND = "branch_not_found"
    EMPTY = "empty"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"


class Criticality(TextEnum):
    """
    How much depends on it: a `critical` data source makes its findings more urgent. `medium` by default.
    """

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class CriticalityFilter(TextEnum):
    """
    With a leading `-`: any but this.
    """

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"
    NOT_LOW = "-low"
    NOT_MEDIUM = "-medium"
    NOT_HIGH = "-high"
    NOT_CRITICAL = "-critical"


class DataSourceKind(TextEnum):
    """
    The kind of the data source; it never changes.
    """

    GIT_REPOSITORY = "git_repository"
    WEBSITE = "website"
    HOST = "host"
    CONTAINER_IMAGE = "container_image"
    UPLOAD = "upload"


class DataSourceSort(TextEnum):
    """
    Those that were never scanned are the oldest by `last_scanned_at`.
    """

    CREATED_AT_DESCENDING = "-created_at"
    CREATED_AT = "created_at"
    NAME = "name"
    NAME_DESCENDING = "-name"
    LAST_SCANNED_AT = "last_scanned_at"
    LAST_SCANNED_AT_DESCENDING = "-last_scanned_at"


class DataSourceStatus(TextEnum):
    """
    The outcome of the last scan.
    """

    NEVER_SCANNED = "never_scanned"
    OK = "ok"
    ERROR = "error"


class Density(TextEnum):
    """
    The values of `Density`.
    """

    COMFORTABLE = "comfortable"
    COMPACT = "compact"


class DetectionSourceMode(TextEnum):
    """
    `scan`: run by the platform; `push`: its results come in by import.
    """

    SCAN = "scan"
    PUSH = "push"


class DetectionSourceStatus(TextEnum):
    """
    The values of `DetectionSourceStatus`.
    """

    CONNECTED = "connected"
    UNAVAILABLE = "unavailable"


class ErrorPlace(TextEnum):
    """
    The values of `ErrorPlace`.
    """

    QUERY = "query"
    BODY = "body"
    PATH = "path"
    HEADER = "header"


class Exposure(TextEnum):
    """
    Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
    """

    INTERNAL = "internal"
    PUBLIC = "public"


class FacetField(TextEnum):
    """
    The values of `FacetField`.
    """

    SEVERITY = "severity"
    STATUS = "status"
    SOURCE = "source"
    DATA_SOURCE = "data_source"
    DATA_SOURCE_TAG = "data_source_tag"
    OWNER = "owner"
    CRITICALITY = "criticality"
    RULE = "rule"
    TAG = "tag"
    ASSIGNEE = "assignee"
    IDENTIFIER = "identifier"


class FailedSignInMethod(TextEnum):
    """
    The values of `FailedSignInMethod`.
    """

    PASSWORD = "password"
    CODE = "code"
    RECOVERY_CODE = "recovery_code"
    PASSKEY = "passkey"
    SINGLE_SIGN_ON = "single_sign_on"
    LINK = "link"
    CONFIRMATION = "confirmation"


class FindingContextFilter(TextEnum):
    """
    With a leading `-`: any but this.
    """

    TEST = "test"
    NONE = "none"
    NOT_TEST = "-test"
    NOT_NONE = "-none"


class FindingExportFormat(TextEnum):
    """
    The format of the file.
    """

    CSV = "csv"
    JSON = "json"


class FindingExportSort(TextEnum):
    """
    Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500.
    """

    FIRST_SEEN_AT_DESCENDING = "-first_seen_at"
    FIRST_SEEN_AT = "first_seen_at"
    SEVERITY_DESCENDING = "-severity"
    UPDATED_AT = "updated_at"
    UPDATED_AT_DESCENDING = "-updated_at"
    DUE_AT = "due_at"
    PRIORITY_DESCENDING = "-priority"
    RELEVANCE = "relevance"


class FindingField(TextEnum):
    """
    The values of `FindingField`.
    """

    RULE = "rule"
    LOCATION = "location"
    IDENTIFIERS = "identifiers"
    CVSS_SCORE = "cvss_score"
    EVIDENCE = "evidence"
    DESCRIPTION = "description"
    REMEDIATION = "remediation"
    REFERENCES = "references"
    ID = "id"
    TITLE = "title"
    SEVERITY = "severity"
    STATUS = "status"
    SOURCE = "source"
    DATA_SOURCE = "data_source"
    TAGS = "tags"
    ASSIGNEE = "assignee"
    FINGERPRINT = "fingerprint"
    OCCURRENCES = "occurrences"
    COMMENT_COUNT = "comment_count"
    RESOLUTION = "resolution"
    ACCEPTED_UNTIL = "accepted_until"
    REOPENED_COUNT = "reopened_count"
    FIRST_SEEN_AT = "first_seen_at"
    LAST_SEEN_AT = "last_seen_at"
    UPDATED_AT = "updated_at"
    CLOSED_AT = "closed_at"
    CONTEXT = "context"
    PRIORITY = "priority"
    PRIORITY_REASONS = "priority_reasons"
    EPSS = "epss"
    EPSS_PERCENTILE = "epss_percentile"
    KEV = "kev"
    DUE_AT = "due_at"


class FindingGrouping(TextEnum):
    """
    What the findings of a group have in common.
    """

    RULE = "rule"
    DATA_SOURCE = "data_source"
    PACKAGE = "package"


class FindingResolution(TextEnum):
    """
    The values of `FindingResolution`.
    """

    FIXED = "fixed"
    DATA_SOURCE_REMOVED = "data_source_removed"


class FindingSort(TextEnum):
    """
    The order; `-` means descending. The default is `-first_seen_at`. With `due_at`, findings without a due date come last. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state. With `-updated_at`, it moves to the front, which you have already read, and with `-severity`, `-priority` and `due_at`, a finding for which these change can be skipped or returned twice: use `updated_at` to miss no change. A finding loses its due date when it is closed, and gets one when it is reopened. `relevance` needs `q` and ranks its newest matches, at most 500: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select.
    """

    FIRST_SEEN_AT_DESCENDING = "-first_seen_at"
    FIRST_SEEN_AT = "first_seen_at"
    SEVERITY_DESCENDING = "-severity"
    UPDATED_AT = "updated_at"
    UPDATED_AT_DESCENDING = "-updated_at"
    DUE_AT = "due_at"
    PRIORITY_DESCENDING = "-priority"
    RELEVANCE = "relevance"


class FindingStatus(TextEnum):
    """
    The values of `FindingStatus`.
    """

    NEW = "new"
    TRIAGED = "triaged"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    FALSE_POSITIVE = "false_positive"
    ACCEPTED_RISK = "accepted_risk"


class FindingStatusFilter(TextEnum):
    """
    With a leading `-`: any but this.
    """

    NEW = "new"
    TRIAGED = "triaged"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    FALSE_POSITIVE = "false_positive"
    ACCEPTED_RISK = "accepted_risk"
    NOT_NEW = "-new"
    NOT_TRIAGED = "-triaged"
    NOT_IN_PROGRESS = "-in_progress"
    NOT_RESOLVED = "-resolved"
    NOT_FALSE_POSITIVE = "-false_positive"
    NOT_ACCEPTED_RISK = "-accepted_risk"


class ImportFormat(TextEnum):
    """
    The format of the file; detected when not given.
    """

    SARIF = "sarif"
    CYCLONEDX = "cyclonedx"
    TRIVY = "trivy"
    GRYPE = "grype"
    GITLEAKS = "gitleaks"
    TRUFFLEHOG = "trufflehog"
    DETECT_SECRETS = "detect-secrets"
    SEMGREP = "semgrep"
    OSV_SCANNER = "osv-scanner"
    NPM_AUDIT = "npm-audit"
    PIP_AUDIT = "pip-audit"
    GOVULNCHECK = "govulncheck"
    GOSEC = "gosec"
    BANDIT = "bandit"
    CHECKOV = "checkov"
    KICS = "kics"
    TFSEC = "tfsec"
    HADOLINT = "hadolint"
    DOCKLE = "dockle"
    BRAKEMAN = "brakeman"
    MOBSF = "mobsf"
    GITLAB = "gitlab"
    GITHUB = "github"
    SONARQUBE = "sonarqube"
    CHECKMARX = "checkmarx"
    VERACODE = "veracode"
    SNYK = "snyk"
    NUCLEI = "nuclei"
    NMAP = "nmap"
    ZAP = "zap"
    BURP = "burp"
    ACUNETIX = "acunetix"
    OPENVAS = "openvas"
    NESSUS = "nessus"
    QUALYS = "qualys"
    NEXPOSE = "nexpose"
    NIKTO = "nikto"
    TESTSSL = "testssl"
    OCSF = "ocsf"
    ASFF = "asff"
    INSPECTOR = "inspector"
    PROWLER = "prowler"
    SCOUTSUITE = "scoutsuite"
    DEFENDER = "defender"
    WIZ = "wiz"
    GENERIC = "generic"
    SPDX = "spdx"


class InvitationStatus(TextEnum):
    """
    The values of `InvitationStatus`.
    """

    PENDING = "pending"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    REVOKED = "revoked"


class OrganizationPlan(TextEnum):
    """
    The values of `OrganizationPlan`.
    """

    DEFAULT = "default"
    ENTERPRISE = "enterprise"


class PermissionCode(TextEnum):
    """
    The values of `PermissionCode`.
    """

    FINDINGS_READ = "findings:read"
    FINDINGS_WRITE = "findings:write"
    VIEWS_WRITE = "views:write"
    VIEWS_SHARE = "views:share"
    VIEWS_MANAGE = "views:manage"
    SCANS_READ = "scans:read"
    SCANS_WRITE = "scans:write"
    SCHEDULES_WRITE = "schedules:write"
    REPORTS_READ = "reports:read"
    REPORTS_WRITE = "reports:write"
    SCHEDULED_REPORTS_WRITE = "scheduled_reports:write"
    SOURCES_READ = "sources:read"
    SOURCES_WRITE = "sources:write"
    IMPORTS_WRITE = "imports:write"
    ORGANIZATION_READ = "organization:read"
    ORGANIZATION_WRITE = "organization:write"
    AUDIT_READ = "audit:read"
    OWNERS_WRITE = "owners:write"
    INSTALLATION_READ = "installation:read"
    PREFERENCES_WRITE = "preferences:write"


class PriorityReason(TextEnum):
    """
    What raised or lowered the priority: `cvss` (its score counts, not the severity), `test_code`, `fix_available`, `public`, the criticality of the data source, `known_exploited` (KEV), or the percentile of its EPSS score.
    """

    TEST_CODE = "test_code"
    FIX_AVAILABLE = "fix_available"
    CVSS = "cvss"
    DATA_SOURCE_LOW = "data_source_low"
    DATA_SOURCE_HIGH = "data_source_high"
    DATA_SOURCE_CRITICAL = "data_source_critical"
    PUBLIC = "public"
    KNOWN_EXPLOITED = "known_exploited"
    EPSS_TOP_1_PERCENT = "epss_top_1_percent"
    EPSS_TOP_5_PERCENT = "epss_top_5_percent"
    EPSS_TOP_20_PERCENT = "epss_top_20_percent"


class ReportDeliveryStatus(TextEnum):
    """
    `pending`: not sent yet, or to be tried again; `failed`: no attempts are left.
    """

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


class ReportDocumentState(TextEnum):
    """
    `final` by default.
    """

    DRAFT = "draft"
    FINAL = "final"


class ReportFormat(TextEnum):
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
    """

    PDF = "pdf"
    DOCX = "docx"
    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"
    SARIF = "sarif"
    SARIF_GITHUB = "sarif-github"
    OCSF = "ocsf"


class ReportLanguage(TextEnum):
    """
    `en` by default.
    """

    EN = "en"
    DE = "de"


class ReportPaper(TextEnum):
    """
    `a4` by default.
    """

    A4 = "a4"
    LETTER = "letter"


class ReportStatus(TextEnum):
    """
    `ready`: the snapshot is taken and never changes.
    """

    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


class ReportTemplate(TextEnum):
    """
    What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
    """

    EXECUTIVE = "executive"
    AUDIT = "audit"
    TECHNICAL = "technical"


class Role(TextEnum):
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """

    VIEWER = "viewer"
    ANALYST = "analyst"
    ADMIN = "admin"
    OWNER = "owner"


class SandboxKind(TextEnum):
    """
    What confines them; null when nothing does.
    """

    BUBBLEWRAP = "bubblewrap"
    USER_NAMESPACE = "user_namespace"


class SandboxStatus(TextEnum):
    """
    `active`: they read and write only what they are given, and reach no network but the egress proxy; `partial`: as `reason` says; `none`: the machine does not allow it; `off`: the operator switched it off.
    """

    ACTIVE = "active"
    PARTIAL = "partial"
    NONE = "none"
    OFF = "off"


class ScanStatus(TextEnum):
    """
    `partial`: some targets failed, and `errors` names each; the others count.
    """

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ScanTargetStatus(TextEnum):
    """
    The values of `ScanTargetStatus`.
    """

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ScanTrigger(TextEnum):
    """
    The values of `ScanTrigger`.
    """

    API = "api"
    SCHEDULE = "schedule"
    IMPORT = "import"


class Scope(TextEnum):
    """
    The values of `Scope`.
    """

    FINDINGS_READ = "findings:read"
    FINDINGS_WRITE = "findings:write"
    SCANS_READ = "scans:read"
    SCANS_WRITE = "scans:write"
    REPORTS_READ = "reports:read"
    REPORTS_WRITE = "reports:write"
    SOURCES_READ = "sources:read"
    SOURCES_WRITE = "sources:write"
    ORGANIZATION_READ = "organization:read"
    ORGANIZATION_WRITE = "organization:write"


class Severity(TextEnum):
    """
    The values of `Severity`.
    """

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


class SeverityFilter(TextEnum):
    """
    With a leading `-`: any but this.
    """

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"
    NOT_CRITICAL = "-critical"
    NOT_HIGH = "-high"
    NOT_MEDIUM = "-medium"
    NOT_LOW = "-low"
    NOT_INFO = "-info"


class SignInStatus(TextEnum):
    """
    `code_required`: the password is right, and a code of the second factor is needed. `account_required`: it is that of several accounts, and one must be chosen.
    """

    SIGNED_IN = "signed_in"
    CODE_REQUIRED = "code_required"
    ACCOUNT_REQUIRED = "account_required"


class Theme(TextEnum):
    """
    The values of `Theme`.
    """

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class TimelineEntryKind(TextEnum):
    """
    The values of `TimelineEntryKind`.
    """

    CHANGE = "change"
    COMMENT = "comment"


class ViewSort(TextEnum):
    """
    The values of `ViewSort`.
    """

    FIRST_SEEN_AT_DESCENDING = "-first_seen_at"
    FIRST_SEEN_AT = "first_seen_at"
    SEVERITY_DESCENDING = "-severity"
    UPDATED_AT = "updated_at"
    UPDATED_AT_DESCENDING = "-updated_at"
    DUE_AT = "due_at"
    PRIORITY_DESCENDING = "-priority"
    RELEVANCE = "relevance"
