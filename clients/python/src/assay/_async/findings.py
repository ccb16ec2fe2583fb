from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .. import types
from .._page import AsyncList, AsyncPage
from .._request import Request
from .._settings import RequestOptions
from ._content import AsyncContent
from ._follow import follow_findings
from ._resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class AsyncFindings(AsyncResource):
    """Findings: one lasting record per problem."""

    def list(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FindingListParams]
    ) -> AsyncList[types.Finding]:
        return self._list(types.Finding, ("findings",), params, options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.FindingDetail:
        return await self._call(types.FindingDetail, Request("GET", ("findings", id)), options)

    async def update(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.FindingUpdate]
    ) -> types.FindingDetail:
        """Changes a finding, in one transaction."""
        # A comment that is sent twice is added twice.
        request = Request("PATCH", ("findings", id), json=params, repeatable="comment" not in params)
        return await self._call(types.FindingDetail, request, options)

    async def export(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FindingExportParams]
    ) -> AsyncContent:
        """Exports all findings that the filters select, as a file that is read as it comes: see `reports.export`."""
        request = Request("GET", ("findings", "export"), query=params, accept="*/*")
        return AsyncContent(self._sender, await self._sender.stream(request, options))

    async def update_many(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FindingBulkUpdate]
    ) -> types.FindingBulkUpdateResult:
        """Changes many findings, by their ids or by a filter, in one transaction."""
        request = Request("PATCH", ("findings",), json=params, takes_key=True)
        return await self._call(types.FindingBulkUpdateResult, request, options)

    async def summary(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FindingSummaryParams]
    ) -> types.FindingSummary:
        """Counts for dashboards, under the same filters as the list."""
        return await self._call(types.FindingSummary, Request("GET", ("findings", "summary"), query=params), options)

    async def facets(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FindingFacetsParams]
    ) -> types.FindingFacets:
        """Counts the findings with each value of a field, under the list's filters except the field's own."""
        return await self._call(types.FindingFacets, Request("GET", ("findings", "facets"), query=params), options)

    async def comment(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.FindingCommentCreation]
    ) -> types.FindingComment:
        return await self._call(
            types.FindingComment, Request("POST", ("findings", id, "comment"), json=params), options
        )

    def comments(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.FindingCommentListParams]
    ) -> AsyncList[types.FindingComment]:
        """Lists the comments on a finding, oldest first."""
        return self._list(types.FindingComment, ("findings", id, "comment"), params, options)

    def history(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.FindingHistoryParams]
    ) -> AsyncList[types.FindingChange]:
        """Lists every change of a finding: when, by whom, and both values."""
        return self._list(types.FindingChange, ("findings", id, "history"), params, options)

    def follow(
        self,
        since: str | datetime,
        *,
        poll_interval: float = 10.0,
        options: RequestOptions | None = None,
        **params: Unpack[p.FindingFollowParams],
    ) -> AsyncIterator[types.Finding]:
        """
        Gives every finding that changes, from `since` on and without end, each in its new state and none missed.
        `poll_interval` is how many seconds are between two looks for news. Keep the `updated_at` of the last finding
        that you have dealt with: given as `since` it resumes there. Findings of that same second come once more.
        """

        async def load(query: Mapping[str, Any]) -> AsyncPage[types.Finding]:
            return await self._page(types.Finding, ("findings",), query, options)

        return follow_findings(self._sender, load, since, params, poll_interval)

    def groups(
        self, *, options: RequestOptions | None = None, **params: Unpack[p.FindingGroupListParams]
    ) -> AsyncList[types.FindingGroup]:
        """Lists groups of findings with their counts, under the filters of the list."""
        return self._list(types.FindingGroup, ("findings", "groups"), params, options)

    def timeline(
        self, id: str, *, options: RequestOptions | None = None, **params: Unpack[p.FindingTimelineParams]
    ) -> AsyncList[types.TimelineEntry]:
        """Lists the changes of a finding and the comments on it, in one order."""
        return self._list(types.TimelineEntry, ("findings", id, "timeline"), params, options)

    async def update_comment(
        self,
        id: str,
        comment_id: str,
        *,
        options: RequestOptions | None = None,
        **params: Unpack[p.FindingCommentUpdate],
    ) -> types.FindingComment:
        """Edits your own comment."""
        return await self._call(
            types.FindingComment, Request("PATCH", ("findings", id, "comment", comment_id), json=params), options
        )

    async def delete_comment(self, id: str, comment_id: str, *, options: RequestOptions | None = None) -> None:
        """Deletes your own comment."""
        await self._run(Request("DELETE", ("findings", id, "comment", comment_id)), options)
