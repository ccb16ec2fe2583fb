"""The differences between the synchronous and the asynchronous client."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

import httpx

from .._page import Page

T = TypeVar("T")

Sleep = Callable[[float], None]
Transport = httpx.BaseTransport
HttpClient = httpx.Client

pause: Sleep = time.sleep


def as_list(load: Callable[[], Page[T]]) -> Page[T]:
    return load()


def open_file(path: Path, mode: Literal["rb", "wb"]) -> IO[bytes]:
    return path.open(mode)


def read(file: IO[bytes], size: int) -> bytes:
    return file.read(size)


def write(file: IO[bytes], chunk: bytes) -> None:
    file.write(chunk)


def each(chunks: Any) -> Iterator[bytes]:
    """The chunks of an iterable."""
    yield from chunks
