from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._settings import RequestOptions
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncTags(AsyncResource):
    """The tags of all findings."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TagListParams]
    ) -> AsyncList[types.KnownTag]:
        return self._list(types.KnownTag, ("tags",), params, options)
