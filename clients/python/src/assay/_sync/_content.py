# Generated from _async/_content.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

import builtins
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import httpx

from .._files import read_filename
from ..errors import invalid_argument
from ._runtime import open_file, write
from ._sender import Sender


class Content:
    """
    A file that the service sends, read as it comes and only once. A transfer that is cut short is an error, never a
    short file.
    """

    content_type: str | None
    filename: str | None
    """The file's name, as the service gives it."""

    def __init__(self, sender: Sender, response: httpx.Response) -> None:
        self._sender = sender
        self._response = response
        self._begun = False
        self.content_type = response.headers.get("content-type")
        self.filename = read_filename(response.headers.get("content-disposition"))

    def __iter__(self) -> Iterator[builtins.bytes]:
        if self._begun:
            raise invalid_argument("This content was read before. Export it again.")
        self._begun = True
        chunks = self._sender.chunks(self._response)
        try:
            for chunk in chunks:
                yield chunk
        finally:
            self.close()

    def bytes(self) -> builtins.bytes:
        """Returns the whole file."""
        return b"".join([chunk for chunk in self])

    def text(self) -> str:
        """Returns the whole file as text."""
        return (self.bytes()).decode()

    def save_to(self, path: str | os.PathLike[str]) -> None:
        """Saves the file: completely or not at all."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.part")
        try:
            file = open_file(partial, "wb")
            try:
                for chunk in self:
                    write(file, chunk)
            finally:
                file.close()
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        finally:
            self.close()

    def close(self) -> None:
        """Closes the connection without reading the rest."""
        self._response.close()

    def __enter__(self) -> Content:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
