"""Files that are uploaded and downloaded."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import unquote


@dataclass(frozen=True)
class UploadProgress:
    """The progress of an upload."""

    sent_bytes: int
    total_bytes: int | None
    """None if unknown, as for a stream."""


OnProgress = Callable[[UploadProgress], None]


def read_filename(header: str | None) -> str | None:
    """Returns the file name of a Content-Disposition header, without any folder, or None."""
    encoded = re.search(r"filename\*=UTF-8''([^;\s]+)", header or "", re.IGNORECASE)
    quoted = re.search(r'filename="((?:[^"\\]|\\.)*)"', header or "", re.IGNORECASE)
    plain = re.search(r'filename=([^;"\s]+)', header or "", re.IGNORECASE)
    name = ""
    if encoded:
        name = unquote(encoded[1], errors="replace")
    elif quoted:
        name = re.sub(r"\\(.)", r"\1", quoted[1])
    elif plain:
        name = plain[1]
    last = re.split(r"[/\\]", name)[-1]
    return None if last in ("", ".", "..") else last


def size_of(file: IO[bytes]) -> int | None:
    """Returns how many bytes follow the position of a file; None if it can be read only once."""
    try:
        position = file.tell()
        size = file.seek(0, os.SEEK_END) - position
        file.seek(position)
        return size
    except (AttributeError, OSError, ValueError):
        return None


def is_file(source: Any) -> bool:
    return callable(getattr(source, "read", None))
