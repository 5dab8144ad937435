"""Lazy lists, which fetch pages as the loop reaches them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..model import Model
from ..pages import Awaited, BasePage, Walk, first_walk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from typing_extensions import Self

    from ..operation import Operation
    from ..request import Query
    from ..response import Response
    from .client import AsyncBeatMarket

T = TypeVar("T")
P = TypeVar("P", bound="AsyncPage[Any]")


class AsyncPage(BasePage[T]):
    """One page of a list. A loop iterates over its own items, and `next_page` gets the next page."""

    def __init__(self, response: Response, models: dict[str, type[Model]], walk: Walk, client: AsyncBeatMarket) -> None:
        super().__init__(response, models, walk)
        self._models = models
        self._client = client

    async def next_page(self) -> Self | None:
        """The next page; None after the last page, or when the pages have `max_items` items."""
        walk = self._walk.after(self)
        if walk is None:
            return None
        return type(self)(await self._client._send(walk.request), self._models, walk, self._client)


class AsyncListOf(Awaited[T, P], Generic[T, P]):
    """A list whose pages are of the class `page`."""

    def __init__(
        self,
        client: AsyncBeatMarket,
        operation: Operation,
        page: type[P],
        models: dict[str, type[Model]],
        query: Query,
        max_items: int | None,
    ) -> None:
        self._client = client
        self._page_class = page
        self._models = models
        self._walk = first_walk(client._request(operation, query=query), max_items)

    def __aiter__(self) -> AsyncIterator[T]:
        """Iterates over the items of all pages, or the first `max_items`."""
        return AsyncItems(self)

    async def _first(self) -> P:
        response = await self._client._send(self._walk.request)
        return self._page_class(response, self._models, self._walk, self._client)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._walk.request.method} {self._walk.request.url}>"


class AsyncListing(AsyncListOf[T, AsyncPage[T]]):
    """A list. A loop iterates over the items of all pages; the first page has `data`, `pagination` and `total`.

    After an error, the same iterator resumes at the failed page.
    """


class AsyncItems(Generic[T]):
    """A loop over the items of all pages. After a failed request, the next step requests the same page again."""

    def __init__(self, listing: AsyncListOf[T, Any]) -> None:
        self._listing = listing
        self._page: AsyncPage[T] | None = None
        self._items: deque[T] = deque()

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not self._items:
            page: AsyncPage[T] | None = None
            if self._page is not None:
                page = await self._page.next_page()
            elif self._listing._walk.left != 0:
                page = await self._listing._start()
            if page is None:
                raise StopAsyncIteration
            self._page = page
            self._items.extend(page.data)
        return self._items.popleft()
