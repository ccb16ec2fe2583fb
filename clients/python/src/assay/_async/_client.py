from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from .._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from ._runtime import Sleep, Transport, pause
from ._sender import AsyncSender
from .audit_events import AsyncAuditEvents
from .bulk_operations import AsyncBulkOperations
from .data_sources import AsyncDataSources
from .detection_sources import AsyncDetectionSources
from .events import AsyncEvents
from .findings import AsyncFindings
from .imports import AsyncImports
from .organization import AsyncOrganization
from .profile import AsyncProfile
from .reports import AsyncReports
from .rules import AsyncRules
from .scan_schedules import AsyncScanSchedules
from .scans import AsyncScans
from .scheduled_reports import AsyncScheduledReports
from .tags import AsyncTags
from .views import AsyncViews


class AsyncAssay:
    """
    A client of one Assay service with one token. Making one sends nothing; used with `with` (`async with`), or by
    `close()`, it closes its connections.
    """

    findings: AsyncFindings
    detection_sources: AsyncDetectionSources
    scans: AsyncScans
    scan_schedules: AsyncScanSchedules
    reports: AsyncReports
    scheduled_reports: AsyncScheduledReports
    data_sources: AsyncDataSources
    imports: AsyncImports
    organization: AsyncOrganization
    profile: AsyncProfile
    events: AsyncEvents
    audit_events: AsyncAuditEvents
    views: AsyncViews
    bulk_operations: AsyncBulkOperations
    rules: AsyncRules
    tags: AsyncTags

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
        self._sender = AsyncSender(settings, sleep, transport)
        self.findings = AsyncFindings(self._sender)
        self.detection_sources = AsyncDetectionSources(self._sender)
        self.scans = AsyncScans(self._sender)
        self.scan_schedules = AsyncScanSchedules(self._sender)
        self.reports = AsyncReports(self._sender)
        self.scheduled_reports = AsyncScheduledReports(self._sender)
        self.data_sources = AsyncDataSources(self._sender)
        self.imports = AsyncImports(self._sender)
        self.organization = AsyncOrganization(self._sender)
        self.profile = AsyncProfile(self._sender)
        self.events = AsyncEvents(self._sender)
        self.audit_events = AsyncAuditEvents(self._sender)
        self.views = AsyncViews(self._sender)
        self.bulk_operations = AsyncBulkOperations(self._sender)
        self.rules = AsyncRules(self._sender)
        self.tags = AsyncTags(self._sender)

    async def close(self) -> None:
        """Closes the connections. Call it when the client is no longer needed."""
        await self._sender.http.aclose()

    async def __aenter__(self) -> AsyncAssay:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._sender.settings.base_url}>"
