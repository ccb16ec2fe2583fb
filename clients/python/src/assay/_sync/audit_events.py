# Generated from _async/audit_events.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import Page
from .._settings import RequestOptions
from ._resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AuditEvents(Resource):
    """The audit log: who changed what, when, and from where."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.AuditEventListParams]
    ) -> Page[types.AuditEvent]:
        return self._list(types.AuditEvent, ("audit-events",), params, options)
