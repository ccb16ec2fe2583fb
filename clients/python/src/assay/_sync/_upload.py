# Generated from _async/_upload.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Union

from .._files import OnProgress, UploadProgress, is_file, size_of
from .._request import CHUNK_SIZE
from ..errors import invalid_argument
from ._runtime import each, open_file, read

UploadSource = Union[bytes, str, "os.PathLike[str]", IO[bytes], Iterable[bytes], Iterable[bytes]]


class Upload:
    """A body to send: once or, if it is replayable, with each attempt."""

    total_bytes: int | None

    def __init__(self, source: UploadSource, on_progress: OnProgress | None) -> None:
        self._on_progress = on_progress
        self._source: Any = source.encode() if isinstance(source, str) else source
        self._start = 0
        if isinstance(self._source, (bytes, bytearray, memoryview)):
            self.total_bytes = memoryview(self._source).nbytes
        elif isinstance(self._source, os.PathLike):
            self.total_bytes = os.stat(self._source).st_size
        elif is_file(self._source):
            file: Any = self._source
            self.total_bytes = size_of(file)
            self._start = 0 if self.total_bytes is None else file.tell()
        elif isinstance(self._source, (Iterable, Iterable)):
            self.total_bytes = None
        else:
            raise invalid_argument("The file must be bytes, a text, a path, a binary file or a stream of bytes.")
        self.replayable = self.total_bytes is not None

    def chunks(self) -> Iterator[bytes]:
        sent = 0
        for chunk in self._read():
            yield chunk
            sent += len(chunk)
            if self._on_progress:
                self._on_progress(UploadProgress(sent, self.total_bytes))

    def _read(self) -> Iterator[bytes]:
        source = self._source
        if isinstance(source, (bytes, bytearray, memoryview)):
            view = memoryview(source).cast("B")
            for start in range(0, len(view), CHUNK_SIZE):
                yield bytes(view[start : start + CHUNK_SIZE])
        elif isinstance(source, os.PathLike):
            file = open_file(Path(source), "rb")
            try:
                while chunk := read(file, CHUNK_SIZE):
                    yield chunk
            finally:
                file.close()
        elif is_file(source):
            if self.replayable:
                source.seek(self._start)
            while chunk := read(source, CHUNK_SIZE):
                yield chunk
        else:
            for chunk in each(source):
                yield chunk
