# Generated from _async/profile.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import Page
from .._request import Request
from .._settings import RequestOptions
from ._resource import Resource
from ._sender import Sender

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class Tokens(Resource):
    """One's API tokens: for a session of the console only, since a token can't make tokens."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TokenListParams]
    ) -> Page[types.ApiToken]:
        return self._list(types.ApiToken, ("profile", "tokens"), params, options)

    def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ApiTokenCreation]
    ) -> types.NewApiToken:
        """Makes a token, which is shown this once."""
        return self._call(types.NewApiToken, Request("POST", ("profile", "tokens"), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("profile", "tokens", id)), options)


class Profile(Resource):
    """The person who calls: for a session of the console only."""

    tokens: Tokens

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.tokens = Tokens(sender)

    def get(self, *, options: RequestOptions | None = None) -> types.Profile:
        return self._call(types.Profile, Request("GET", ("profile",)), options)

    def update(self, *, options: RequestOptions | None = None, **params: Unpack[p.ProfileUpdate]) -> types.Profile:
        return self._call(types.Profile, Request("PATCH", ("profile",), json=params), options)
