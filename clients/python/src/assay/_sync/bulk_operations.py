# Generated from _async/bulk_operations.py by scripts/generate-clients.mjs. Do not edit.
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


class BulkOperations(Resource):
    """Changes of many findings at once, which can be undone for a while."""

    def undo(self, id: str, *, options: RequestOptions | None = None) -> types.BulkOperation:
        """Undoes the changes, except on findings that were changed since."""
        return self._call(types.BulkOperation, Request("POST", ("bulk-operations", id, "undo")), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> types.BulkOperation:
        return self._call(types.BulkOperation, Request("GET", ("bulk-operations", id)), options)

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.BulkOperationListParams]
    ) -> Page[types.BulkOperation]:
        return self._list(types.BulkOperation, ("bulk-operations",), params, options)
