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


class AsyncMembers(AsyncResource):
    """The members of the organization."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.MemberListParams]
    ) -> AsyncList[types.Member]:
        return self._list(types.Member, ("organization", "members"), params, options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.MemberUpdate]
    ) -> types.Member:
        return await self._call(types.Member, Request("PATCH", ("organization", "members", id), json=params), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("organization", "members", id)), options)

    def tokens(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.MemberTokenListParams]
    ) -> AsyncList[types.ApiToken]:
        """Lists the API tokens that a member has in this organization, newest first."""
        return self._list(types.ApiToken, ("organization", "members", id, "tokens"), params, options)

    async def delete_token(self, id: str, token_id: str, *, options: RequestOptions | None = None) -> None:
        """Revokes an API token of a member."""
        await self._run(Request("DELETE", ("organization", "members", id, "tokens", token_id)), options)

    def sessions(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.MemberSessionListParams]
    ) -> AsyncList[types.Session]:
        """Lists the sessions of a member that reach this organization, newest first."""
        return self._list(types.Session, ("organization", "members", id, "sessions"), params, options)

    async def end_sessions(self, id: str, *, options: RequestOptions | None = None) -> None:
        """Signs a member out of this organization."""
        await self._run(Request("DELETE", ("organization", "members", id, "sessions")), options)


class AsyncInvitations(AsyncResource):
    """Invitations to the organization."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.InvitationListParams]
    ) -> AsyncList[types.Invitation]:
        return self._list(types.Invitation, ("organization", "invitations"), params, options)

    async def create(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.InvitationCreation]
    ) -> types.NewInvitation:
        """Invites a person by mail."""
        return await self._call(
            types.NewInvitation, Request("POST", ("organization", "invitations"), json=params), options
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> None:
        await self._run(Request("DELETE", ("organization", "invitations", id)), options)

    async def resend(self, id: str, *, options: RequestOptions | None = None) -> types.NewInvitation:
        """Sends an invitation again, with a new link."""
        return await self._call(
            types.NewInvitation, Request("POST", ("organization", "invitations", id, "resend")), options
        )


class AsyncOrganization(AsyncResource):
    """The organization that the token belongs to."""

    members: AsyncMembers
    invitations: AsyncInvitations

    def __init__(self, sender: AsyncSender) -> None:
        super().__init__(sender)
        self.members = AsyncMembers(sender)
        self.invitations = AsyncInvitations(sender)

    async def get(self, *, options: RequestOptions | None = None) -> types.Organization:
        return await self._call(types.Organization, Request("GET", ("organization",)), options)

    async def update(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.OrganizationUpdate]
    ) -> types.Organization:
        """Renames the organization."""
        return await self._call(types.Organization, Request("PATCH", ("organization",), json=params), options)

    async def policy(self, *, options: RequestOptions | None = None) -> types.Policy:
        """The days to fix findings and the conditions for accepting risks."""
        return await self._call(types.Policy, Request("GET", ("organization", "policy")), options)

    async def installation(self, *, options: RequestOptions | None = None) -> types.Installation:
        """Check the installation, for owners of the organization that runs it."""
        return await self._call(types.Installation, Request("GET", ("organization", "installation")), options)

    async def replace_policy(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.PolicyReplacement]
    ) -> types.Policy:
        return await self._call(types.Policy, Request("PUT", ("organization", "policy"), json=params), options)
