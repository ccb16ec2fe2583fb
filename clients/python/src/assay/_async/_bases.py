"""The methods of resources that are written by hand: streams, uploads and waiting."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .. import types
from .._files import OnProgress
from .._organization_events import OrganizationEventData, event_type
from .._page import AsyncPage
from .._request import ENDLESS, Request
from .._settings import RequestOptions
from .._sse import ServerEvent
from ._events import follow_events
from ._follow import follow_findings
from ._poll import poll_until
from ._resource import AsyncResource
from ._upload import AsyncUpload, UploadSource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncFindingsBase(AsyncResource):
    def follow(
        self,
        since: str | datetime,
        *,
        poll_interval: float = 10.0,
        options: RequestOptions | None = None,
        **params: Unpack[p.FindingFollowParams],
    ) -> AsyncIterator[types.Finding]:
        """
        Yields every finding that changes, from `since` on and indefinitely, each in its new state. It misses none.
        `poll_interval` is the number of seconds between polls. Keep the `updated_at` of the last finding that you have
        processed, and pass it as `since` to resume there; findings of that same second are yielded again. It continues
        for as long as the service is unavailable, regardless of `max_retries`. Leaving the loop ends it, and so does a
        permanent error, such as a revoked token.
        """

        endless: RequestOptions = {**(options or {}), "max_retries": ENDLESS}

        async def load(query: Mapping[str, Any]) -> AsyncPage[types.Finding]:
            return await self._page(types.Finding, ("findings",), query, endless)

        return follow_findings(self._sender, load, since, params, poll_interval)


class AsyncEventsBase(AsyncResource):
    def follow(
        self, *, last_event_id: str | None = None, options: RequestOptions | None = None
    ) -> AsyncIterator[ServerEvent[OrganizationEventData]]:
        """
        Yields the events of the organization indefinitely: `scan`, `report`, `bulk_operation`, `decision`, `findings`
        and `reset`, each with the data of its type. It reconnects for as long as the service is unavailable, regardless
        of `max_retries`, and continues after the last event. Keep the `id` of the last event that you have processed,
        and pass it as `last_event_id` to resume there within an hour. Leaving the loop ends it, and so does a permanent
        error, such as a revoked token.
        """
        return follow_events(self._sender, ("events",), event_type, None, options, last_event_id or "")


def _is_ended(scan: types.Scan) -> bool:
    ended = ("completed", "partial", "failed", "cancelled")
    return getattr(scan, "completed_at", None) is not None or scan.status in ended


class AsyncScansBase(AsyncResource):
    def events(self, id: str, *, options: RequestOptions | None = None) -> AsyncIterator[ServerEvent[types.Scan]]:
        """Yields the scan each time it changes (`progress`), and finally when it has ended (`end`)."""
        return follow_events(self._sender, ("scans", id, "events"), lambda name: types.Scan, "end", options)

    async def wait(
        self, id: str, *, max_wait: float | None = None, options: RequestOptions | None = None
    ) -> types.Scan:
        """Waits until a scan has ended, successfully or not: see its `status` and `errors`."""

        async def look() -> types.Scan:
            return await self._call(types.Scan, Request("GET", ("scans", id)), options)

        return await poll_until(self._sender, look, _is_ended, max_wait)


class AsyncReportsBase(AsyncResource):
    async def wait(
        self, id: str, *, max_wait: float | None = None, options: RequestOptions | None = None
    ) -> types.Report:
        """Waits until a report is ready or has failed: see its `status` and `error`."""

        async def look() -> types.Report:
            return await self._call(types.Report, Request("GET", ("reports", id)), options)

        return await poll_until(self._sender, look, lambda report: report.status != "pending", max_wait)


class AsyncImportsBase(AsyncResource):
    async def upload(
        self,
        id: str,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportParams],
    ) -> types.Scan:
        """
        Uploads a result file to a data source as a stream and returns the scan that imports it, which `scans.wait` can
        wait for. A string is the content of the file, not its path: pass a `Path` for that. A stream is sent once;
        bytes, a string, a path or an opened file can be read again, and so retried.
        """
        request = Request("POST", ("data-sources", id, "imports"), query=params)
        upload = AsyncUpload(file, on_progress)
        return self._build(types.Scan, await self._sender.json(request, options, upload))

    async def preview(
        self,
        id: str,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportParams],
    ) -> types.ImportPreview:
        """Uploads a result file and returns what its import would change. Nothing is written."""
        request = Request("POST", ("data-sources", id, "imports"), query={**params, "dry_run": True})
        upload = AsyncUpload(file, on_progress)
        return self._build(types.ImportPreview, await self._sender.json(request, options, upload))

    async def upload_by_name(
        self,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportByNameParams],
    ) -> types.Scan:
        """
        Uploads a result file to the data source with a name and returns the scan that imports it. The first import
        creates the data source, an upload.
        """
        request = Request("POST", ("imports",), query=params)
        upload = AsyncUpload(file, on_progress)
        return self._build(types.Scan, await self._sender.json(request, options, upload))

    async def preview_by_name(
        self,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportByNameParams],
    ) -> types.ImportPreview:
        """Uploads a result file and returns what its import by name would change. Nothing is written."""
        request = Request("POST", ("imports",), query={**params, "dry_run": True})
        upload = AsyncUpload(file, on_progress)
        return self._build(types.ImportPreview, await self._sender.json(request, options, upload))
