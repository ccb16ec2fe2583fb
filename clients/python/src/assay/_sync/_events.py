# Generated from _async/_events.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from .._models import build
from .._request import Request, backoff
from .._settings import RequestOptions
from .._sse import EventDecoder, ServerEvent
from ..errors import APIConnectionError
from ._sender import Sender

T = TypeVar("T")


def follow_events(
    sender: Sender, path: tuple[str, ...], type_: type[T], last: str | None, options: RequestOptions | None
) -> Iterator[ServerEvent[T]]:
    """
    Yields the events of an address up to the one named `last`, or without end (None), over as many connections as
    necessary. If the service closes a stream without end, that is not a failure.
    """
    given: RequestOptions = {**(options or {})}
    max_retries = given.get("max_retries", sender.settings.max_retries)
    failures = 0
    last_id = ""
    while True:
        if last_id:
            given["headers"] = {**given.get("headers", {}), "last-event-id": last_id}
        response = sender.stream(Request("GET", path, accept="text/event-stream"), given)
        error: APIConnectionError | None = None
        decoder = EventDecoder(last_id)
        try:
            for chunk in sender.chunks(response):
                for event in decoder.feed(chunk):
                    failures = 0
                    yield ServerEvent(event.event, build(type_, event.data))
                    if event.event == last:
                        return
            for event in decoder.end():
                failures = 0
                yield ServerEvent(event.event, build(type_, event.data))
                if event.event == last:
                    return
            if last is None:
                failures = 0
            else:
                error = APIConnectionError("The events stopped before their end.", code="connection_error")
        except APIConnectionError as failure:
            error = failure
        finally:
            response.close()
        last_id = decoder.last_id
        if error is not None and failures >= max_retries:
            raise error
        sender.sleep(backoff(failures))
        failures += 1
