from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from .._models import build
from .._request import ENDLESS, Request, backoff
from .._settings import RequestOptions
from .._sse import EventDecoder, ServerEvent
from ..errors import APIConnectionError
from ._sender import AsyncSender


async def follow_events(
    sender: AsyncSender,
    path: tuple[str, ...],
    type_of: Callable[[str], Any],
    last: str | None,
    options: RequestOptions | None,
    last_id: str = "",
) -> AsyncIterator[ServerEvent[Any]]:
    """
    Yields the events of an address from the position `last_id` on, with the type that `type_of` returns for their name,
    over as many connections as necessary. It ends with the event named `last`. With None it never ends and reconnects
    for as long as the service is unavailable; if the service closes such a stream, that is not a failure.
    """
    given: RequestOptions = {**(options or {})}
    max_retries = ENDLESS if last is None else given.get("max_retries", sender.settings.max_retries)
    given["max_retries"] = max_retries
    failures = 0
    while True:
        if last_id:
            given["headers"] = {**given.get("headers", {}), "last-event-id": last_id}
        response = await sender.stream(Request("GET", path, accept="text/event-stream"), given)
        error: APIConnectionError | None = None
        decoder = EventDecoder(last_id)
        try:
            async for chunk in sender.chunks(response):
                for event in decoder.feed(chunk):
                    failures = 0
                    yield ServerEvent(event.event, build(type_of(event.event), event.data), event.id)
                    if event.event == last:
                        return
            for event in decoder.end():
                failures = 0
                yield ServerEvent(event.event, build(type_of(event.event), event.data), event.id)
                if event.event == last:
                    return
            if last is None:
                failures = 0
            else:
                error = APIConnectionError("The events stopped before their end.", code="connection_error")
        except APIConnectionError as failure:
            error = failure
        finally:
            await response.aclose()
        last_id = decoder.last_id
        if error is not None and failures >= max_retries:
            raise error
        await sender.sleep(backoff(failures))
        failures += 1
