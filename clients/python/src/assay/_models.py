"""The base of the types of `assay.types`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

import httpx
from pydantic import BaseModel, ConfigDict, PrivateAttr

# Fields that are never in the string form of a model.
_SECRETS = frozenset({"token", "secret", "uri", "recovery_codes"})

Converter = Callable[[Any], Any]


@dataclass(frozen=True)
class ResponseInfo:
    """A response's metadata."""

    status: int
    headers: httpx.Headers
    request_id: str | None


class Model(BaseModel):
    """
    Data that the service returned. Fields and values that are unknown to this version of the library are preserved.
    Nothing is validated: reading a field that the service did not send raises an `AttributeError`.
    """

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())

    _last_response: ResponseInfo | None = PrivateAttr(default=None)

    @property
    def last_response(self) -> ResponseInfo | None:
        """The response's metadata, such as the header `etag`; None for a part of another model."""
        return self._last_response

    def to_dict(self) -> dict[str, Any]:
        """Returns the data as the service sent it: with its field names, and times as text."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)

    def to_json(self, *, indent: int | None = None) -> str:
        """Returns the data as the service sent it, as JSON."""
        return self.model_dump_json(by_alias=True, exclude_unset=True, warnings=False, indent=indent)

    def __repr_args__(self) -> Any:
        for name, value in super().__repr_args__():
            yield name, "…" if name in _SECRETS else value


def build(type_: Any, value: Any) -> Any:
    """Converts a value of JSON to a type. A value that does not fit the type is returned unchanged."""
    return _converter(type_)(value)


def _keep(value: Any) -> Any:
    return value


def _time(value: Any) -> Any:
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return value


def _model(model: type[BaseModel]) -> Converter:
    fields: dict[str, Any] = {field.alias or name: field.annotation for name, field in model.model_fields.items()}

    def convert(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        # Resolved late, because models refer to each other.
        known = {name: _converter(fields[name])(item) if name in fields else item for name, item in value.items()}
        return model.model_construct(_fields_set=None, **known)

    return convert


def _is_model(type_: Any) -> bool:
    # On Python 3.10 `list[str]` is a type too, which `issubclass` rejects.
    return isinstance(type_, type) and get_origin(type_) is None and issubclass(type_, BaseModel)


def _union(types: tuple[Any, ...]) -> Converter:
    models = [type_ for type_ in types if _is_model(type_)]
    others = [_converter(type_) for type_ in types if type_ not in models]

    def fit(model: type[BaseModel], value: dict[str, Any]) -> tuple[int, int]:
        names = {(field.alias or name): field.is_required() for name, field in model.model_fields.items()}
        missing = sum(1 for name, required in names.items() if required and name not in value)
        return (-missing, sum(1 for name in names if name in value))

    def convert(value: Any) -> Any:
        if isinstance(value, dict) and models:
            return _converter(max(models, key=lambda model: fit(model, value)))(value)
        for other in others:
            value = other(value)
        return value

    return convert


@cache
def _converter(type_: Hashable) -> Converter:
    origin, args = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _converter(args[0])
    if origin in (Union, UnionType):
        return _union(args)
    if origin is list:
        item = _converter(args[0])
        return lambda value: [item(part) for part in value] if isinstance(value, list) else value
    if origin is dict:
        item = _converter(args[1])
        return lambda value: {key: item(part) for key, part in value.items()} if isinstance(value, dict) else value
    if _is_model(type_):
        return _model(cast(type[BaseModel], type_))
    return _time if type_ is datetime else _keep
