# Generated from _async/scans.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .. import types
from .._page import Page
from .._request import Request
from .._settings import RequestOptions
from .._sse import ServerEvent
from ._events import follow_events
from ._poll import poll_until
from ._resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


def _is_ended(scan: types.Scan) -> bool:
    ended = ("completed", "partial", "failed", "cancelled")
    return getattr(scan, "completed_at", None) is not None or scan.status in ended


class Scans(Resource):
    """Scans, whatever started them."""

    def list(self, *, options: RequestOptions | None = None, **params: Unpack[p.ScanListParams]) -> Page[types.Scan]:
        return self._list(types.Scan, ("scans",), params, options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> types.Scan:
        return self._call(types.Scan, Request("GET", ("scans", id)), options)

    def cancel(self, id: str, *, options: RequestOptions | None = None) -> types.Scan:
        return self._call(types.Scan, Request("POST", ("scans", id, "cancel")), options)

    def targets(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScanTargetListParams]
    ) -> Page[types.ScanTarget]:
        """Lists what the scan did with each of its data sources, and why it closed nothing there."""
        return self._list(types.ScanTarget, ("scans", id, "targets"), params, options)

    def events(self, id: str, *, options: RequestOptions | None = None) -> Iterator[ServerEvent[types.Scan]]:
        """Yields the scan each time it changes (`progress`), and finally when it has ended (`end`)."""
        return follow_events(self._sender, ("scans", id, "events"), types.Scan, "end", options)

    def wait(self, id: str, *, max_wait: float | None = None, options: RequestOptions | None = None) -> types.Scan:
        """Waits until a scan has ended, successfully or not: see its `status` and `errors`."""

        def look() -> types.Scan:
            return self.get(id, options=options)

        return poll_until(self._sender, look, _is_ended, max_wait)
