from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._settings import RequestOptions
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncRules(AsyncResource):
    """The rules of all findings."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.RuleListParams]
    ) -> AsyncList[types.KnownRule]:
        return self._list(types.KnownRule, ("rules",), params, options)
