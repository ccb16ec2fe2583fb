# Generated from _async/_client.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from .._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from ._runtime import Sleep, Transport, pause
from ._sender import Sender
from .audit_events import AuditEvents
from .bulk_operations import BulkOperations
from .data_sources import DataSources
from .detection_sources import DetectionSources
from .events import Events
from .findings import Findings
from .imports import Imports
from .organization import Organization
from .profile import Profile
from .reports import Reports
from .rules import Rules
from .scan_schedules import ScanSchedules
from .scans import Scans
from .scheduled_reports import ScheduledReports
from .tags import Tags
from .views import Views


class Assay:
    """
    A client of one Assay service with one token. Making one sends nothing; used with `with` (`async with`), or by
    `close()`, it closes its connections.
    """

    findings: Findings
    detection_sources: DetectionSources
    scans: Scans
    scan_schedules: ScanSchedules
    reports: Reports
    scheduled_reports: ScheduledReports
    data_sources: DataSources
    imports: Imports
    organization: Organization
    profile: Profile
    events: Events
    audit_events: AuditEvents
    views: Views
    bulk_operations: BulkOperations
    rules: Rules
    tags: Tags

    def __init__(
        self,
        *,
        token: str | None = None,
        base_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        transport: Transport | None = None,
        sleep: Sleep = pause,
    ) -> None:
        """
        `token`: an API token; by default `ASSAY_TOKEN` of the environment.
        `base_url`: the address of the API with `/api/v1`; by default `ASSAY_BASE_URL` of the environment.
        `timeout`: seconds for an attempt; of uploads, downloads and events, for each pause between bytes.
        `max_retries`: how often a failed request is repeated.
        `headers`: sent with every request.
        `transport`: sends the requests, as `httpx.HTTPTransport(verify=…)` or `httpx.MockTransport(…)`.
        `sleep`: waits that many seconds between attempts and looks; for tests.
        """
        settings = read_settings(token, base_url, timeout, max_retries, headers)
        self._sender = Sender(settings, sleep, transport)
        self.findings = Findings(self._sender)
        self.detection_sources = DetectionSources(self._sender)
        self.scans = Scans(self._sender)
        self.scan_schedules = ScanSchedules(self._sender)
        self.reports = Reports(self._sender)
        self.scheduled_reports = ScheduledReports(self._sender)
        self.data_sources = DataSources(self._sender)
        self.imports = Imports(self._sender)
        self.organization = Organization(self._sender)
        self.profile = Profile(self._sender)
        self.events = Events(self._sender)
        self.audit_events = AuditEvents(self._sender)
        self.views = Views(self._sender)
        self.bulk_operations = BulkOperations(self._sender)
        self.rules = Rules(self._sender)
        self.tags = Tags(self._sender)

    def close(self) -> None:
        """Closes the connections. Call it when the client is no longer needed."""
        self._sender.http.close()

    def __enter__(self) -> Assay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._sender.settings.base_url}>"
