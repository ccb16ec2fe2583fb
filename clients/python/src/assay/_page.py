"""Pages of lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_Body = dict[str, Any]


class _PageBody(Generic[T]):
    data: list[T]
    """The items of this page."""
    next_cursor: str | None
    """The `next_cursor` for the next page; None on the last page."""

    def __init__(self, body: _Body, data: list[T]) -> None:
        self._body = body
        self.data = data
        self.next_cursor = body.get("next_cursor")

    def to_dict(self) -> dict[str, Any]:
        """Returns the data as the service sent it."""
        return dict(self._body)

    def __getattr__(self, name: str) -> Any:
        # Fields that are unknown to this version of the library.
        body: _Body = self.__dict__.get("_body", {})
        if name in body:
            return body[name]
        raise AttributeError(f"The page has no field {name}.")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.data)}, next_cursor={self.next_cursor!r}>"


class Page(_PageBody[T]):
    """One page of a list. Iterating over it yields its items and those of all following pages."""

    def __init__(self, body: _Body, data: list[T], load: Callable[[str], Page[T]]) -> None:
        super().__init__(body, data)
        self._load = load

    def next_page(self) -> Page[T] | None:
        """Returns the next page; None after the last one."""
        return None if self.next_cursor is None else self._load(self.next_cursor)

    def __iter__(self) -> Iterator[T]:
        page: Page[T] | None = self
        while page is not None:
            yield from page.data
            page = page.next_page()


class AsyncPage(_PageBody[T]):
    """One page of a list. Iterating over it yields its items and those of all following pages."""

    def __init__(self, body: _Body, data: list[T], load: Callable[[str], Awaitable[AsyncPage[T]]]) -> None:
        super().__init__(body, data)
        self._load = load

    async def next_page(self) -> AsyncPage[T] | None:
        """Returns the next page; None after the last one."""
        return None if self.next_cursor is None else await self._load(self.next_cursor)

    async def __aiter__(self) -> AsyncIterator[T]:
        page: AsyncPage[T] | None = self
        while page is not None:
            for item in page.data:
                yield item
            page = await page.next_page()


class AsyncList(Generic[T]):
    """A requested list: `await` returns one page, `async for` yields the items of all pages."""

    def __init__(self, load: Callable[[], Awaitable[AsyncPage[T]]]) -> None:
        self._load = load

    def __await__(self) -> Generator[Any, None, AsyncPage[T]]:
        return self._load().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._load():
            yield item
