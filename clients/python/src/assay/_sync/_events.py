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
    sender: Sender, path: tuple[str, ...], type_: type[T], last: str, options: RequestOptions | None
) -> Iterator[ServerEvent[T]]:
    """The events of an address until the one named `last`, over as many connections as that takes."""
    max_retries = (options or {}).get("max_retries", sender.settings.max_retries)
    failures = 0
    while True:
        response = sender.stream(Request("GET", path, accept="text/event-stream"), options)
        error = APIConnectionError("The events stopped before their end.", code="connection_error")
        decoder = EventDecoder()
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
        except APIConnectionError as failure:
            error = failure
        finally:
            response.close()
        if failures >= max_retries:
            raise error
        sender.sleep(backoff(failures))
        failures += 1
