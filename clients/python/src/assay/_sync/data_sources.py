# Generated from _async/data_sources.py by scripts/generate-clients.mjs. Do not edit.
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


class DataSources(Resource):
    """Data sources: what is scanned, and where results are imported to."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceListParams]
    ) -> Page[types.DataSource]:
        return self._list(types.DataSource, ("data-sources",), params, options)

    def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceCreation]
    ) -> types.DataSource:
        return self._call(types.DataSource, Request("POST", ("data-sources",), json=params), options)

    def test(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceCreation]
    ) -> types.ConnectionTest:
        """Tries a configuration without saving it. A failure is a result, not an error."""
        return self._call(types.ConnectionTest, Request("POST", ("data-sources", "test"), json=params), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> types.DataSource:
        return self._call(types.DataSource, Request("GET", ("data-sources", id)), options)

    def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceUpdate]
    ) -> types.DataSource:
        return self._call(types.DataSource, Request("PATCH", ("data-sources", id), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("data-sources", id)), options)

    def suggestions(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.DataSourceSuggestionListParams]
    ) -> Page[types.DataSourceSuggestion]:
        """Data sources that can be added as they are, such as the sample repository."""
        return self._list(types.DataSourceSuggestion, ("data-sources", "suggestions"), params, options)
