# Generated from _async/tags.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import Page
from .._settings import RequestOptions
from ._resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class Tags(Resource):
    """The tags of all findings."""

    def list(self, *, options: RequestOptions | None = None, **params: Unpack[p.TagListParams]) -> Page[types.KnownTag]:
        return self._list(types.KnownTag, ("tags",), params, options)
