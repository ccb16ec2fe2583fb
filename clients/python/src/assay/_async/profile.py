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
    """Your API tokens: for sessions of the console only, because a token can't create tokens."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TokenListParams]
    ) -> AsyncList[types.ApiToken]:
        return self._list(types.ApiToken, ("profile", "tokens"), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ApiTokenCreation]
    ) -> types.NewApiToken:
        """Creates a token, which is returned this once."""
        return await self._call(types.NewApiToken, Request("POST", ("profile", "tokens"), json=params), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("profile", "tokens", id)), options)


class AsyncSessions(AsyncResource):
    """Your sign-ins, one for each browser."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.SessionListParams]
    ) -> AsyncList[types.Session]:
        return self._list(types.Session, ("profile", "sessions"), params, options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        """Ends a session."""
        await self._run(Request("DELETE", ("profile", "sessions", id)), options)

    async def delete_others(self, *, options: RequestOptions | None = None) -> None:
        """Ends all other sessions."""
        await self._run(Request("DELETE", ("profile", "sessions")), options)

    def failed_sign_ins(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FailedSignInListParams]
    ) -> AsyncList[types.FailedSignIn]:
        """Attempts to sign in as you that failed."""
        return self._list(types.FailedSignIn, ("profile", "failed-sign-ins"), params, options)


class AsyncTwoFactor(AsyncResource):
    """The second factor of your sign-in."""

    async def set_up(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasswordConfirmation]
    ) -> types.TwoFactorSetup:
        """Returns a secret for an authenticator, and recovery codes. `confirm` turns the second factor on."""
        return await self._call(types.TwoFactorSetup, Request("POST", ("profile", "two-factor"), json=params), options)

    async def confirm(self, *, options: RequestOptions | None = None, **params: Unpack[p.TwoFactorCode]) -> None:
        """Turns the second factor on with a code of the authenticator."""
        await self._run(Request("POST", ("profile", "two-factor", "confirm"), json=params), options)

    async def remove(self, *, options: RequestOptions | None = None, **params: Unpack[p.TwoFactorRemoval]) -> None:
        """Removes the second factor."""
        await self._run(Request("POST", ("profile", "two-factor", "remove"), json=params), options)

    async def renew_recovery_codes(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasswordConfirmation]
    ) -> types.RecoveryCodes:
        """Replaces the recovery codes."""
        return await self._call(
            types.RecoveryCodes, Request("POST", ("profile", "two-factor", "recovery-codes"), json=params), options
        )


class AsyncPasskeys(AsyncResource):
    """Your passkeys."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasskeyListParams]
    ) -> AsyncList[types.Passkey]:
        return self._list(types.Passkey, ("profile", "passkeys"), params, options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.PasskeyUpdate]
    ) -> types.Passkey:
        """Renames a passkey."""
        return await self._call(types.Passkey, Request("PATCH", ("profile", "passkeys", id), json=params), options)

    async def delete(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.PasskeyDeleteParams]
    ) -> None:
        """Removes a passkey, and what else the parameters say."""
        await self._run(Request("DELETE", ("profile", "passkeys", id), query=params), options)


class AsyncPreferencesResource(AsyncResource):
    """Your preferences in the console."""

    async def get(self, *, options: RequestOptions | None = None) -> types.Preferences:
        return await self._call(types.Preferences, Request("GET", ("profile", "preferences")), options)

    async def replace(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PreferencesInput]
    ) -> types.Preferences:
        """Replaces all preferences."""
        return await self._call(types.Preferences, Request("PUT", ("profile", "preferences"), json=params), options)


class AsyncProfile(AsyncResource):
    """Your own account: for sessions of the console only."""

    tokens: AsyncTokens
    preferences: AsyncPreferencesResource
    passkeys: AsyncPasskeys
    sessions: AsyncSessions
    two_factor: AsyncTwoFactor

    def __init__(self, sender: AsyncSender) -> None:
        super().__init__(sender)
        self.tokens = AsyncTokens(sender)
        self.preferences = AsyncPreferencesResource(sender)
        self.passkeys = AsyncPasskeys(sender)
        self.sessions = AsyncSessions(sender)
        self.two_factor = AsyncTwoFactor(sender)

    async def get(self, *, options: RequestOptions | None = None) -> types.Profile:
        return await self._call(types.Profile, Request("GET", ("profile",)), options)

    async def update(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ProfileUpdate]
    ) -> types.Profile:
        return await self._call(types.Profile, Request("PATCH", ("profile",), json=params), options)

    async def change_password(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasswordChange]
    ) -> None:
        """Changes the password, and ends all other sessions."""
        await self._run(Request("PUT", ("profile", "password"), json=params), options)

    async def change_email(self, *, options: RequestOptions | None = None, **params: Unpack[p.EmailChange]) -> None:
        """Changes the email address, once a link in a mail to the new one is opened."""
        await self._run(Request("POST", ("profile", "email"), json=params), options)
