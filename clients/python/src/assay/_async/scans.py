from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._request import Request
from .._settings import RequestOptions
from .._sse import ServerEvent
from ._events import follow_events
from ._poll import poll_until
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


def _is_ended(scan: types.Scan) -> bool:
    ended = ("completed", "partial", "failed", "cancelled")
    return getattr(scan, "completed_at", None) is not None or scan.status in ended


class AsyncScans(AsyncResource):
    """Scans, whatever started them."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScanListParams]
    ) -> AsyncList[types.Scan]:
        return self._list(types.Scan, ("scans",), params, options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.Scan:
        return await self._call(types.Scan, Request("GET", ("scans", id)), options)

    async def cancel(self, id: str, *, options: RequestOptions | None = None) -> types.Scan:
        return await self._call(types.Scan, Request("POST", ("scans", id, "cancel")), options)

    def targets(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScanTargetListParams]
    ) -> AsyncList[types.ScanTarget]:
        """Lists what the scan did with each of its data sources, and why it closed nothing there."""
        return self._list(types.ScanTarget, ("scans", id, "targets"), params, options)

    def events(self, id: str, *, options: RequestOptions | None = None) -> AsyncIterator[ServerEvent[types.Scan]]:
        """Yields the scan each time it changes (`progress`), and finally when it has ended (`end`)."""
        return follow_events(self._sender, ("scans", id, "events"), types.Scan, "end", options)

    async def wait(
        self, id: str, *, max_wait: float | None = None, options: RequestOptions | None = None
    ) -> types.Scan:
        """Waits until a scan has ended, successfully or not: see its `status` and `errors`."""

        async def look() -> types.Scan:
            return await self.get(id, options=options)

        return await poll_until(self._sender, look, _is_ended, max_wait)
