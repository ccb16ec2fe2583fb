# Generated from _async/_resource.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from .._models import Model, ResponseInfo, build
from .._page import Page
from .._request import Request
from .._settings import RequestOptions
from ..errors import InvalidResponseError
from ._runtime import as_list
from ._sender import Sender

T = TypeVar("T")


class Resource:
    """The base of all resources."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _call(self, type_: type[T], request: Request, options: RequestOptions | None) -> T:
        return self._build(type_, self._sender.json(request, options))

    def _build(self, type_: type[T], received: tuple[Any, ResponseInfo]) -> T:
        data, info = received
        result: T = build(type_, data)
        if isinstance(result, Model):
            result._last_response = info
        return result

    def _run(self, request: Request, options: RequestOptions | None) -> None:
        self._sender.json(request, options)

    def _page(
        self, type_: type[T], path: tuple[str, ...], query: Mapping[str, Any], options: RequestOptions | None
    ) -> Page[T]:
        body, info = self._sender.json(Request("GET", path, query=query), options)
        if not isinstance(body, dict) or not isinstance(body.get("data"), list):
            message = "The response is not a page of a list. Does the base address end with /api/v1?"
            raise InvalidResponseError(message, status=info.status, code="invalid_response", request_id=info.request_id)

        def load(cursor: str) -> Page[T]:
            return self._page(type_, path, {**query, "next_cursor": cursor}, options)

        data: list[T] = [build(type_, item) for item in body["data"]]
        return Page(body, data, load)

    def _list(
        self, type_: type[T], path: tuple[str, ...], query: Mapping[str, Any], options: RequestOptions | None
    ) -> Page[T]:
        def load() -> Page[T]:
            return self._page(type_, path, query, options)

        return as_list(load)
