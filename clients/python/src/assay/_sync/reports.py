# Generated from _async/reports.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import Page
from .._request import Request
from .._settings import RequestOptions
from ._content import Content
from ._poll import poll_until
from ._resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class Reports(Resource):
    """Reports: what was found at one moment, in any format."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ReportListParams]
    ) -> Page[types.Report]:
        return self._list(types.Report, ("reports",), params, options)

    def create(self, *, options: RequestOptions | None = None, **params: Unpack[p.ReportCreation]) -> types.Report:
        return self._call(types.Report, Request("POST", ("reports",), json=params), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> types.Report:
        return self._call(types.Report, Request("GET", ("reports", id)), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("reports", id)), options)

    def export(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ReportExportParams]
    ) -> Content:
        """Exports a finished report. The file is read as it arrives: save it, iterate over it, or get its bytes."""
        request = Request("GET", ("reports", id, "export"), query=params, accept="*/*")
        return Content(self._sender, self._sender.stream(request, options))

    def wait(self, id: str, *, max_wait: float | None = None, options: RequestOptions | None = None) -> types.Report:
        """Waits until a report is ready or has failed: see its `status` and `error`."""

        def look() -> types.Report:
            return self.get(id, options=options)

        return poll_until(self._sender, look, lambda report: report.status != "pending", max_wait)
