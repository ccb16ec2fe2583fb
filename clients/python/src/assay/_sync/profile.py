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
    """Your API tokens: for sessions of the console only, because a token can't create tokens."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.TokenListParams]
    ) -> Page[types.ApiToken]:
        return self._list(types.ApiToken, ("profile", "tokens"), params, options)

    def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.ApiTokenCreation]
    ) -> types.NewApiToken:
        """Creates a token, which is returned this once."""
        return self._call(types.NewApiToken, Request("POST", ("profile", "tokens"), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("profile", "tokens", id)), options)


class Sessions(Resource):
    """Your sign-ins, one for each browser."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.SessionListParams]
    ) -> Page[types.Session]:
        return self._list(types.Session, ("profile", "sessions"), params, options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        """Ends a session."""
        self._run(Request("DELETE", ("profile", "sessions", id)), options)

    def delete_others(self, *, options: RequestOptions | None = None) -> None:
        """Ends all other sessions."""
        self._run(Request("DELETE", ("profile", "sessions")), options)

    def failed_sign_ins(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FailedSignInListParams]
    ) -> Page[types.FailedSignIn]:
        """Attempts to sign in as you that failed."""
        return self._list(types.FailedSignIn, ("profile", "failed-sign-ins"), params, options)


class TwoFactor(Resource):
    """The second factor of your sign-in."""

    def set_up(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasswordConfirmation]
    ) -> types.TwoFactorSetup:
        """Returns a secret for an authenticator, and recovery codes. `confirm` turns the second factor on."""
        return self._call(types.TwoFactorSetup, Request("POST", ("profile", "two-factor"), json=params), options)

    def confirm(self, *, options: RequestOptions | None = None, **params: Unpack[p.TwoFactorCode]) -> None:
        """Turns the second factor on with a code of the authenticator."""
        self._run(Request("POST", ("profile", "two-factor", "confirm"), json=params), options)

    def remove(self, *, options: RequestOptions | None = None, **params: Unpack[p.TwoFactorRemoval]) -> None:
        """Removes the second factor."""
        self._run(Request("POST", ("profile", "two-factor", "remove"), json=params), options)

    def renew_recovery_codes(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasswordConfirmation]
    ) -> types.RecoveryCodes:
        """Replaces the recovery codes."""
        return self._call(
            types.RecoveryCodes, Request("POST", ("profile", "two-factor", "recovery-codes"), json=params), options
        )


class Passkeys(Resource):
    """Your passkeys."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PasskeyListParams]
    ) -> Page[types.Passkey]:
        return self._list(types.Passkey, ("profile", "passkeys"), params, options)

    def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.PasskeyUpdate]
    ) -> types.Passkey:
        """Renames a passkey."""
        return self._call(types.Passkey, Request("PATCH", ("profile", "passkeys", id), json=params), options)

    def delete(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.PasskeyDeleteParams]
    ) -> None:
        """Removes a passkey, and what else the parameters say."""
        self._run(Request("DELETE", ("profile", "passkeys", id), query=params), options)


class PreferencesResource(Resource):
    """Your preferences in the console."""

    def get(self, *, options: RequestOptions | None = None) -> types.Preferences:
        return self._call(types.Preferences, Request("GET", ("profile", "preferences")), options)

    def replace(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PreferencesInput]
    ) -> types.Preferences:
        """Replaces all preferences."""
        return self._call(types.Preferences, Request("PUT", ("profile", "preferences"), json=params), options)


class Profile(Resource):
    """Your own account: for sessions of the console only."""

    tokens: Tokens
    preferences: PreferencesResource
    passkeys: Passkeys
    sessions: Sessions
    two_factor: TwoFactor

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.tokens = Tokens(sender)
        self.preferences = PreferencesResource(sender)
        self.passkeys = Passkeys(sender)
        self.sessions = Sessions(sender)
        self.two_factor = TwoFactor(sender)

    def get(self, *, options: RequestOptions | None = None) -> types.Profile:
        return self._call(types.Profile, Request("GET", ("profile",)), options)

    def update(self, *, options: RequestOptions | None = None, **params: Unpack[p.ProfileUpdate]) -> types.Profile:
        return self._call(types.Profile, Request("PATCH", ("profile",), json=params), options)

    def change_password(self, *, options: RequestOptions | None = None, **params: Unpack[p.PasswordChange]) -> None:
        """Changes the password, and ends all other sessions."""
        self._run(Request("PUT", ("profile", "password"), json=params), options)

    def change_email(self, *, options: RequestOptions | None = None, **params: Unpack[p.EmailChange]) -> None:
        """Changes the email address, once a link in a mail to the new one is opened."""
        self._run(Request("POST", ("profile", "email"), json=params), options)
