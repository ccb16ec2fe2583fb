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


class AsyncBulkOperations(AsyncResource):
    """Changes of many findings at once, which can be undone for a while."""

    async def undo(self, id: str, *, options: RequestOptions | None = None) -> types.BulkOperation:
        """Undoes the changes, except on findings that were changed since."""
        return await self._call(types.BulkOperation, Request("POST", ("bulk-operations", id, "undo")), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.BulkOperation:
        return await self._call(types.BulkOperation, Request("GET", ("bulk-operations", id)), options)

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.BulkOperationListParams]
    ) -> AsyncList[types.BulkOperation]:
        return self._list(types.BulkOperation, ("bulk-operations",), params, options)
