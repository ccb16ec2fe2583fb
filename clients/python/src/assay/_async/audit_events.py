from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._settings import RequestOptions
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncAuditEvents(AsyncResource):
    """The audit log: who changed what, when, and from where."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.AuditEventListParams]
    ) -> AsyncList[types.AuditEvent]:
        return self._list(types.AuditEvent, ("audit-events",), params, options)
