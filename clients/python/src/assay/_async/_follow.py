from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from .. import types
from .._page import AsyncPage
from .._request import time_text
from ..errors import BadRequestError
from ._sender import AsyncSender

PAGE_SIZE = 200


async def follow_findings(
    sender: AsyncSender,
    load: Callable[[Mapping[str, Any]], Awaitable[AsyncPage[types.Finding]]],
    since: str | datetime,
    params: Mapping[str, Any],
    poll_interval: float,
) -> AsyncIterator[types.Finding]:
    """
    Pages through the list in the order of change. At its end it requests the last page repeatedly, from the cursor
    before it: the service orders changes finer than by the second and shows none out of order, so what is new comes on
    that page or after it.
    """
    start = time_text(since) if isinstance(since, datetime) else since
    latest: str | datetime = start
    cursor: str | None = None
    given: dict[str, types.Finding] = {}
    """The items of the last page that were already yielded, by id."""
    while True:
        query = {**params, "sort": "updated_at", "updated_from": start, "limit": PAGE_SIZE, "next_cursor": cursor}
        try:
            page = await load(query)
        except BadRequestError as error:
            if cursor is None or error.code != "invalid_cursor":
                raise
            cursor = None
            start = time_text(latest) if isinstance(latest, datetime) else latest
            continue
        before, given = given, {finding.id: finding for finding in page.data}
        for finding in page.data:
            latest = finding.updated_at
            if before.get(finding.id) != finding:
                yield finding
        if page.next_cursor is not None:
            cursor = page.next_cursor
        else:
            await sender.sleep(poll_interval)
