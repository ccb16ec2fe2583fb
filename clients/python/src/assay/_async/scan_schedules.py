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


class AsyncScanSchedules(AsyncResource):
    """Scan schedules: which scans run when."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScanScheduleListParams]
    ) -> AsyncList[types.ScanSchedule]:
        return self._list(types.ScanSchedule, ("scan-schedules",), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ScanScheduleCreation]
    ) -> types.ScanSchedule:
        return await self._call(types.ScanSchedule, Request("POST", ("scan-schedules",), json=params), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.ScanSchedule:
        return await self._call(types.ScanSchedule, Request("GET", ("scan-schedules", id)), options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScanScheduleUpdate]
    ) -> types.ScanSchedule:
        return await self._call(types.ScanSchedule, Request("PATCH", ("scan-schedules", id), json=params), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("scan-schedules", id)), options)

    async def preview(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TimetablePreviewRequest]
    ) -> types.TimetablePreview:
        """Returns the times at which a schedule would run."""
        return await self._call(
            types.TimetablePreview, Request("POST", ("scan-schedules", "preview"), json=params), options
        )
