from __future__ import annotations

import builtins
import os
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType

import httpx

from .._files import read_filename
from ..errors import invalid_argument
from ._runtime import open_file, write
from ._sender import AsyncSender


class AsyncContent:
    """
    A file from the service, read as it arrives and only once. An incomplete transfer is an error, never a short file.
    """

    content_type: str | None
    filename: str | None
    """The file name that the service sends."""

    def __init__(self, sender: AsyncSender, response: httpx.Response) -> None:
        self._sender = sender
        self._response = response
        self._begun = False
        self.content_type = response.headers.get("content-type")
        self.filename = read_filename(response.headers.get("content-disposition"))

    async def __aiter__(self) -> AsyncIterator[builtins.bytes]:
        if self._begun:
            raise invalid_argument("This content was read before. Export it again.")
        self._begun = True
        chunks = self._sender.chunks(self._response)
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            await self.close()

    async def bytes(self) -> builtins.bytes:
        """Returns the whole file."""
        return b"".join([chunk async for chunk in self])

    async def text(self) -> str:
        """Returns the whole file as text."""
        return (await self.bytes()).decode()

    async def save_to(self, path: str | os.PathLike[str]) -> None:
        """Saves the file: completely or not at all."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.part")
        try:
            file = await open_file(partial, "wb")
            try:
                async for chunk in self:
                    await write(file, chunk)
            finally:
                file.close()
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        finally:
            await self.close()

    async def close(self) -> None:
        """Closes the connection without reading the rest."""
        await self._response.aclose()

    async def __aenter__(self) -> AsyncContent:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
