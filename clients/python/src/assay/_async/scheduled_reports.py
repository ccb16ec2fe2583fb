from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._request import Request
from .._settings import RequestOptions
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncScheduledReports(AsyncResource):
    """Scheduled reports: which reports are sent to whom, and when."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScheduledReportListParams]
    ) -> AsyncList[types.ScheduledReport]:
        return self._list(types.ScheduledReport, ("scheduled-reports",), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScheduledReportCreation]
    ) -> types.ScheduledReport:
        request = Request("POST", ("scheduled-reports",), json=params)
        return await self._call(types.ScheduledReport, request, options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.ScheduledReport:
        return await self._call(types.ScheduledReport, Request("GET", ("scheduled-reports", id)), options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScheduledReportUpdate]
    ) -> types.ScheduledReport:
        return await self._call(
            types.ScheduledReport, Request("PATCH", ("scheduled-reports", id), json=params), options
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("scheduled-reports", id)), options)

    def deliveries(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ReportDeliveryListParams]
    ) -> AsyncList[types.ReportDelivery]:
        """Lists the mails of the reports that it created, those of the newest first."""
        return self._list(types.ReportDelivery, ("scheduled-reports", id, "deliveries"), params, options)
