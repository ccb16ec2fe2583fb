# Generated from _async/scan_schedules.py by scripts/generate-clients.mjs. Do not edit.
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


class ScanSchedules(Resource):
    """Scan schedules: which scans run when."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScanScheduleListParams]
    ) -> Page[types.ScanSchedule]:
        return self._list(types.ScanSchedule, ("scan-schedules",), params, options)

    def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScanScheduleCreation]
    ) -> types.ScanSchedule:
        return self._call(types.ScanSchedule, Request("POST", ("scan-schedules",), json=params), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> types.ScanSchedule:
        return self._call(types.ScanSchedule, Request("GET", ("scan-schedules", id)), options)

    def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScanScheduleUpdate]
    ) -> types.ScanSchedule:
        return self._call(types.ScanSchedule, Request("PATCH", ("scan-schedules", id), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("scan-schedules", id)), options)

    def preview(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TimetablePreviewRequest]
    ) -> types.TimetablePreview:
        """Returns the times at which a schedule would run."""
        return self._call(types.TimetablePreview, Request("POST", ("scan-schedules", "preview"), json=params), options)
