"""The base of the enumerations of `assay.enums`."""

from __future__ import annotations

from enum import Enum


class TextEnum(str, Enum):
    """A known value. It equals its text: a later version of the service may return other texts."""

    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        return str.__format__(self, spec)
