from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._request import Request
from .._settings import RequestOptions
from ._content import AsyncContent
from ._poll import poll_until
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncReports(AsyncResource):
    """Reports: what was found at one moment, in any format."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ReportListParams]
    ) -> AsyncList[types.Report]:
        return self._list(types.Report, ("reports",), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ReportCreation]
    ) -> types.Report:
        return await self._call(types.Report, Request("POST", ("reports",), json=params), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.Report:
        return await self._call(types.Report, Request("GET", ("reports", id)), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("reports", id)), options)

    async def export(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ReportExportParams]
    ) -> AsyncContent:
        """Exports a finished report. The file is read as it arrives: save it, iterate over it, or get its bytes."""
        request = Request("GET", ("reports", id, "export"), query=params, accept="*/*")
        return AsyncContent(self._sender, await self._sender.stream(request, options))

    async def wait(
        self, id: str, *, max_wait: float | None = None, options: RequestOptions | None = None
    ) -> types.Report:
        """Waits until a report is ready or has failed: see its `status` and `error`."""

        async def look() -> types.Report:
            return await self.get(id, options=options)

        return await poll_until(self._sender, look, lambda report: report.status != "pending", max_wait)
