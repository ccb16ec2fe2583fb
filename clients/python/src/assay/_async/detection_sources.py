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


class AsyncDetectionSources(AsyncResource):
    """Detection sources: the scanners that are connected."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DetectionSourceListParams]
    ) -> AsyncList[types.DetectionSource]:
        return self._list(types.DetectionSource, ("detection-sources",), params, options)

    async def scan(
        self, type: str, *, options: RequestOptions | None = None, **params: Unpack[p.ScanStartParams]
    ) -> types.Scan:
        """Starts a scan of a type, such as `secrets`, of one data source or of all that the type handles."""
        request = Request("POST", ("detection-sources", type, "scan"), query=params)
        return await self._call(types.Scan, request, options)
