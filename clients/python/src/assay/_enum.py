"""What the enumerations of `assay.enums` are made of."""

from __future__ import annotations

from enum import Enum


class TextEnum(str, Enum):
    """A value that the service knows. It is a text and equals it: a service of a later version may return others."""

    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        return str.__format__(self, spec)
