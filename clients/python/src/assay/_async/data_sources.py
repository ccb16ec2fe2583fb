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


class AsyncDataSources(AsyncResource):
    """Data sources: what is scanned, and where results are imported to."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceListParams]
    ) -> AsyncList[types.DataSource]:
        return self._list(types.DataSource, ("data-sources",), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceCreation]
    ) -> types.DataSource:
        return await self._call(types.DataSource, Request("POST", ("data-sources",), json=params), options)

    async def test(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceCreation]
    ) -> types.ConnectionTest:
        """Tries a configuration without saving it. A failure is a result, not an error."""
        return await self._call(types.ConnectionTest, Request("POST", ("data-sources", "test"), json=params), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.DataSource:
        return await self._call(types.DataSource, Request("GET", ("data-sources", id)), options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceUpdate]
    ) -> types.DataSource:
        return await self._call(types.DataSource, Request("PATCH", ("data-sources", id), json=params), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("data-sources", id)), options)

    def suggestions(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceSuggestionListParams]
    ) -> AsyncList[types.DataSourceSuggestion]:
        """Data sources that can be added as they are, such as the sample repository."""
        return self._list(types.DataSourceSuggestion, ("data-sources", "suggestions"), params, options)
