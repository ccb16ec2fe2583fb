"""The resources of the clients: `Assay().findings` is a `Findings`, that of `AsyncAssay` an `AsyncFindings`."""

from ._async.audit_events import AsyncAuditEvents
from ._async.bulk_operations import AsyncBulkOperations
from ._async.data_sources import AsyncDataSources
from ._async.detection_sources import AsyncDetectionSources
from ._async.events import AsyncEvents
from ._async.findings import AsyncFindings
from ._async.imports import AsyncImports
from ._async.organization import AsyncInvitations, AsyncMembers, AsyncOrganization
from ._async.profile import (
    AsyncPasskeys,
    AsyncPreferencesResource,
    AsyncProfile,
    AsyncSessions,
    AsyncTokens,
    AsyncTwoFactor,
)
from ._async.reports import AsyncReports
from ._async.rules import AsyncRules
from ._async.scan_schedules import AsyncScanSchedules
from ._async.scans import AsyncScans
from ._async.scheduled_reports import AsyncScheduledReports
from ._async.tags import AsyncTags
from ._async.views import AsyncViews
from ._sync.audit_events import AuditEvents
from ._sync.bulk_operations import BulkOperations
from ._sync.data_sources import DataSources
from ._sync.detection_sources import DetectionSources
from ._sync.events import Events
from ._sync.findings import Findings
from ._sync.imports import Imports
from ._sync.organization import Invitations, Members, Organization
from ._sync.profile import Passkeys, PreferencesResource, Profile, Sessions, Tokens, TwoFactor
from ._sync.reports import Reports
from ._sync.rules import Rules
from ._sync.scan_schedules import ScanSchedules
from ._sync.scans import Scans
from ._sync.scheduled_reports import ScheduledReports
from ._sync.tags import Tags
from ._sync.views import Views

__all__ = [
    "AsyncAuditEvents",
    "AsyncBulkOperations",
    "AsyncDataSources",
    "AsyncDetectionSources",
    "AsyncEvents",
    "AsyncFindings",
    "AsyncImports",
    "AsyncInvitations",
    "AsyncMembers",
    "AsyncOrganization",
    "AsyncPasskeys",
    "AsyncPreferencesResource",
    "AsyncProfile",
    "AsyncReports",
    "AsyncRules",
    "AsyncScanSchedules",
    "AsyncScans",
    "AsyncScheduledReports",
    "AsyncSessions",
    "AsyncTags",
    "AsyncTokens",
    "AsyncTwoFactor",
    "AsyncViews",
    "AuditEvents",
    "BulkOperations",
    "DataSources",
    "DetectionSources",
    "Events",
    "Findings",
    "Imports",
    "Invitations",
    "Members",
    "Organization",
    "Passkeys",
    "PreferencesResource",
    "Profile",
    "Reports",
    "Rules",
    "ScanSchedules",
    "Scans",
    "ScheduledReports",
    "Sessions",
    "Tags",
    "Tokens",
    "TwoFactor",
    "Views",
]
