"""Everything that differs between the asynchronous and the synchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

import httpx

from .._page import AsyncList, AsyncPage

T = TypeVar("T")

Sleep = Callable[[float], Awaitable[None]]
Transport = httpx.AsyncBaseTransport
HttpClient = httpx.AsyncClient

pause: Sleep = asyncio.sleep


def as_list(load: Callable[[], Awaitable[AsyncPage[T]]]) -> AsyncList[T]:
    return AsyncList(load)


async def open_file(path: Path, mode: Literal["rb", "wb"]) -> IO[bytes]:
    return await asyncio.to_thread(path.open, mode)


async def read(file: IO[bytes], size: int) -> bytes:
    return await asyncio.to_thread(file.read, size)


async def write(file: IO[bytes], chunk: bytes) -> None:
    await asyncio.to_thread(file.write, chunk)


async def each(chunks: Any) -> AsyncIterator[bytes]:
    """Yields the chunks of an iterable, asynchronous or not."""
    if isinstance(chunks, AsyncIterable):
        async for chunk in chunks:
            yield chunk
    else:
        for chunk in chunks:
            yield chunk
