from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._request import Request
from .._settings import RequestOptions
from ._resource import AsyncResource
from ._sender import AsyncSender

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncTokens(AsyncResource):
    """One's API tokens: for a session of the console only, since a token can't make tokens."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TokenListParams]
    ) -> AsyncList[types.ApiToken]:
        return self._list(types.ApiToken, ("profile", "tokens"), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ApiTokenCreation]
    ) -> types.NewApiToken:
        """Makes a token, which is shown this once."""
        return await self._call(types.NewApiToken, Request("POST", ("profile", "tokens"), json=params), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("profile", "tokens", id)), options)


class AsyncProfile(AsyncResource):
    """The person who calls: for a session of the console only."""

    tokens: AsyncTokens

    def __init__(self, sender: AsyncSender) -> None:
        super().__init__(sender)
        self.tokens = AsyncTokens(sender)

    async def get(self, *, options: RequestOptions | None = None) -> types.Profile:
        return await self._call(types.Profile, Request("GET", ("profile",)), options)

    async def update(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ProfileUpdate]
    ) -> types.Profile:
        return await self._call(types.Profile, Request("PATCH", ("profile",), json=params), options)
