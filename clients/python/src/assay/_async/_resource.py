from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from .._models import Model, ResponseInfo, build
from .._page import AsyncList, AsyncPage
from .._request import Request
from .._settings import RequestOptions
from ..errors import InvalidResponseError
from ._runtime import as_list
from ._sender import AsyncSender

T = TypeVar("T")


class AsyncResource:
    """The base of all resources."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def _call(self, type_: type[T], request: Request, options: RequestOptions | None) -> T:
        return self._build(type_, await self._sender.json(request, options))

    def _build(self, type_: type[T], received: tuple[Any, ResponseInfo]) -> T:
        data, info = received
        result: T = build(type_, data)
        if isinstance(result, Model):
            result._last_response = info
        return result

    async def _run(self, request: Request, options: RequestOptions | None) -> None:
        await self._sender.json(request, options)

    async def _page(
        self, type_: type[T], path: tuple[str, ...], query: Mapping[str, Any], options: RequestOptions | None
    ) -> AsyncPage[T]:
        body, info = await self._sender.json(Request("GET", path, query=query), options)
        if not isinstance(body, dict) or not isinstance(body.get("data"), list):
            message = "The response is not a page of a list. Is the base address that of Assay?"
            raise InvalidResponseError(message, status=info.status, code="invalid_response", request_id=info.request_id)

        async def load(cursor: str) -> AsyncPage[T]:
            return await self._page(type_, path, {**query, "next_cursor": cursor}, options)

        data: list[T] = [build(type_, item) for item in body["data"]]
        return AsyncPage(body, data, load)

    def _list(
        self, type_: type[T], path: tuple[str, ...], query: Mapping[str, Any], options: RequestOptions | None
    ) -> AsyncList[T]:
        async def load() -> AsyncPage[T]:
            return await self._page(type_, path, query, options)

        return as_list(load)
