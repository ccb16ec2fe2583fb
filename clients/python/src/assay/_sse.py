"""Reads server-sent events."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .errors import InvalidResponseError

T = TypeVar("T")

# A carriage return at the end may be the first half of a line ending.
_line_end = re.compile(r"\r\n|\n|\r(?!\Z)")


@dataclass(frozen=True)
class ServerEvent(Generic[T]):
    """An event of the service."""

    event: str
    """The name of the event."""
    data: T
    id: str | None = None
    """The position after the event; None if the stream has no positions."""


def _read_data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        message = "The data of an event is not JSON."
        raise InvalidResponseError(message, status=200, code="invalid_response") from None


class EventDecoder:
    """Parses the bytes of a stream into events, with any line endings. An unfinished event at the end is ignored."""

    def __init__(self, last_id: str = "") -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._event = "message"
        self._data: list[str] = []
        self._id = last_id
        self.last_id = last_id
        """The id of the last event: the stream resumes after it."""

    def feed(self, chunk: bytes) -> Iterator[ServerEvent[Any]]:
        self._rest += self._decoder.decode(chunk)
        *lines, self._rest = _line_end.split(self._rest)
        for line in lines:
            yield from self._read_line(line)

    def end(self) -> Iterator[ServerEvent[Any]]:
        if self._rest.endswith("\r"):
            yield from self._read_line(self._rest[:-1])

    def _read_line(self, line: str) -> Iterator[ServerEvent[Any]]:
        if line == "":
            self.last_id = self._id
            if self._data:
                yield ServerEvent(self._event, _read_data("\n".join(self._data)), self._id or None)
            self._event, self._data = "message", []
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
