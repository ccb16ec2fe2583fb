# Generated from _async/organization.py by scripts/generate-clients.mjs. Do not edit.
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


class Members(Resource):
    """The members of the organization."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.MemberListParams]
    ) -> Page[types.Member]:
        return self._list(types.Member, ("organization", "members"), params, options)

    def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.MemberUpdate]
    ) -> types.Member:
        return self._call(types.Member, Request("PATCH", ("organization", "members", id), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("organization", "members", id)), options)

    def tokens(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.MemberTokenListParams]
    ) -> Page[types.ApiToken]:
        """Lists the API tokens that a member has in this organization, newest first."""
        return self._list(types.ApiToken, ("organization", "members", id, "tokens"), params, options)

    def delete_token(self, id: str, token_id: str, *, options: RequestOptions | None = None) -> None:
        """Revokes an API token of a member."""
        self._run(Request("DELETE", ("organization", "members", id, "tokens", token_id)), options)

    def sessions(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.MemberSessionListParams]
    ) -> Page[types.Session]:
        """Lists the sessions of a member that reach this organization, newest first."""
        return self._list(types.Session, ("organization", "members", id, "sessions"), params, options)

    def end_sessions(self, id: str, *, options: RequestOptions | None = None) -> None:
        """Signs a member out of this organization."""
        self._run(Request("DELETE", ("organization", "members", id, "sessions")), options)


class Invitations(Resource):
    """Invitations to the organization."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.InvitationListParams]
    ) -> Page[types.Invitation]:
        return self._list(types.Invitation, ("organization", "invitations"), params, options)

    def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.InvitationCreation]
    ) -> types.NewInvitation:
        """Invites a person by mail."""
        return self._call(types.NewInvitation, Request("POST", ("organization", "invitations"), json=params), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        self._run(Request("DELETE", ("organization", "invitations", id)), options)

    def resend(self, id: str, *, options: RequestOptions | None = None) -> types.NewInvitation:
        """Sends an invitation again, with a new link."""
        return self._call(types.NewInvitation, Request("POST", ("organization", "invitations", id, "resend")), options)


class Organization(Resource):
    """The organization that the token belongs to."""

    members: Members
    invitations: Invitations

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.members = Members(sender)
        self.invitations = Invitations(sender)

    def get(self, *, options: RequestOptions | None = None) -> types.Organization:
        return self._call(types.Organization, Request("GET", ("organization",)), options)

    def update(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.OrganizationUpdate]
    ) -> types.Organization:
        """Renames the organization."""
        return self._call(types.Organization, Request("PATCH", ("organization",), json=params), options)

    def policy(self, *, options: RequestOptions | None = None) -> types.Policy:
        """The days to fix findings and the conditions for accepting risks."""
        return self._call(types.Policy, Request("GET", ("organization", "policy")), options)

    def installation(self, *, options: RequestOptions | None = None) -> types.Installation:
        """Check the installation, for owners of the organization that runs it."""
        return self._call(types.Installation, Request("GET", ("organization", "installation")), options)

    def replace_policy(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PolicyReplacement]
    ) -> types.Policy:
        return self._call(types.Policy, Request("PUT", ("organization", "policy"), json=params), options)
