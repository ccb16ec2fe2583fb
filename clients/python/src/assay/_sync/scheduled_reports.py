# Generated from _async/scheduled_reports.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import Page
from .._request import Request
from .._settings import RequestOptions
from ._resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class ScheduledReports(Resource):
    """Scheduled reports: which reports are sent to whom, and when."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScheduledReportListParams]
    ) -> Page[types.ScheduledReport]:
        return self._list(types.ScheduledReport, ("scheduled-reports",), params, options)

    def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScheduledReportCreation]
    ) -> types.ScheduledReport:
        request = Request("POST", ("scheduled-reports",), json=params)
        return self._call(types.ScheduledReport, request, options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> types.ScheduledReport:
        return self._call(types.ScheduledReport, Request("GET", ("scheduled-reports", id)), options)

    def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScheduledReportUpdate]
    ) -> types.ScheduledReport:
        return self._call(types.ScheduledReport, Request("PATCH", ("scheduled-reports", id), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("scheduled-reports", id)), options)

    def deliveries(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ReportDeliveryListParams]
    ) -> Page[types.ReportDelivery]:
        """Lists the mails of the reports that it created, those of the newest first."""
        return self._list(types.ReportDelivery, ("scheduled-reports", id, "deliveries"), params, options)
