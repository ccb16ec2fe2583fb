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


class AsyncViews(AsyncResource):
    """Saved views of the list of findings: filters, order and columns."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ViewListParams]
    ) -> AsyncList[types.View]:
        return self._list(types.View, ("views",), params, options)

    async def create(self, *, options: RequestOptions | None = None, **params: Unpack[p.ViewCreation]) -> types.View:
        return await self._call(types.View, Request("POST", ("views",), json=params), options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ViewUpdate]
    ) -> types.View:
        return await self._call(types.View, Request("PATCH", ("views", id), json=params), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("views", id)), options)
