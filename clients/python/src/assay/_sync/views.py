# Generated from _async/views.py by scripts/generate-clients.mjs. Do not edit.
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


class Views(Resource):
    """Saved views of the list of findings: filters, order and columns."""

    def list(self, *, options: RequestOptions | None = None, **params: Unpack[p.ViewListParams]) -> Page[types.View]:
        return self._list(types.View, ("views",), params, options)

    def create(self, *, options: RequestOptions | None = None, **params: Unpack[p.ViewCreation]) -> types.View:
        return self._call(types.View, Request("POST", ("views",), json=params), options)

    def update(self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.ViewUpdate]) -> types.View:
        return self._call(types.View, Request("PATCH", ("views", id), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("views", id)), options)
