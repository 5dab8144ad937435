"""Lists as one loops over them: page after page is fetched when the loop gets there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .models import Beat, Pagination, Producer
from .pages import Cursor, Page, SearchPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator

    from .request import Request
    from .response import Response

T = TypeVar("T")
P = TypeVar("P", bound=Page[Any])


class _Listing(Generic[T, P]):
    def __init__(
        self,
        send: Callable[[Request], Response],
        request: Request,
        parse: Callable[[Response], P],
        max_items: int | None,
    ) -> None:
        self._send = send
        self._request = request
        self._parse = parse
        self._max_items = max_items
        self._first: P | None = None
        Cursor[T](request, max_items)  # raises at once for a max_items that is none

    @property
    def first_page(self) -> P:
        """The first page, fetched when it is first asked for."""
        if self._first is None:
            self._first = self._parse(self._send(self._request))
        return self._first

    @property
    def data(self) -> list[T]:
        """The items of the first page alone."""
        return self.first_page.data

    @property
    def pagination(self) -> Pagination:
        """Where the first page stands in its list."""
        return self.first_page.pagination

    @property
    def total(self) -> int:
        """Items on all pages."""
        return self.first_page.total

    @property
    def response(self) -> Response:
        """The answer that brought the first page: request id, rate limit, status, headers, bytes."""
        return self.first_page.response

    def __iter__(self) -> Iterator[T]:
        """Visits every item of every page, or the first `max_items`."""
        cursor = Cursor[T](self._request, self._max_items)
        if self._first is not None:
            cursor.accept(self._first)
        return _Items(cursor, lambda request: self._parse(self._send(request)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._request.method} {self._request.url}>"


class Listing(_Listing[T, Page[T]]):
    """A list. Loop over it to visit every page; `data`, `pagination` and `total` are those of the first one.

    After an error the same iterator goes on with the page that failed.
    """


class SearchListing(_Listing[Beat | Producer, SearchPage]):
    """What a search found. Loop over it to visit every page: its beats, then its producers."""

    @property
    def beats(self) -> list[Beat]:
        """The beats of the first page."""
        return self.first_page.beats

    @property
    def producers(self) -> list[Producer]:
        """The producers of the first page."""
        return self.first_page.producers


class _Items(Generic[T]):
    def __init__(self, cursor: Cursor[T], fetch: Callable[[Request], Page[T]]) -> None:
        self._cursor = cursor
        self._fetch = fetch

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        while not self._cursor.items:
            request = self._cursor.request()
            if request is None:
                raise StopIteration
            self._cursor.accept(self._fetch(request))
        return self._cursor.items.popleft()


class _AsyncListing(Generic[T, P]):
    def __init__(
        self,
        send: Callable[[Request], Awaitable[Response]],
        request: Request,
        parse: Callable[[Response], P],
        max_items: int | None,
    ) -> None:
        self._send = send
        self._request = request
        self._parse = parse
        self._max_items = max_items
        Cursor[T](request, max_items)  # raises at once for a max_items that is none

    def __await__(self) -> Generator[Any, None, P]:
        """The first page."""
        return self._fetch(self._request).__await__()

    def __aiter__(self) -> AsyncIterator[T]:
        """Visits every item of every page, or the first `max_items`."""
        return _AsyncItems(Cursor[T](self._request, self._max_items), self._fetch)

    async def _fetch(self, request: Request) -> P:
        return self._parse(await self._send(request))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._request.method} {self._request.url}>"


class AsyncListing(_AsyncListing[T, Page[T]]):
    """A list. `async for` visits every page; `await` gives the first one, with `data`, `pagination` and `total`.

    After an error the same iterator goes on with the page that failed.
    """


class AsyncSearchListing(_AsyncListing[Beat | Producer, SearchPage]):
    """What a search found. `async for` visits each page's beats, then its producers; `await` gives the first page."""


class _AsyncItems(Generic[T]):
    def __init__(self, cursor: Cursor[T], fetch: Callable[[Request], Awaitable[Page[T]]]) -> None:
        self._cursor = cursor
        self._fetch = fetch

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not self._cursor.items:
            request = self._cursor.request()
            if request is None:
                raise StopAsyncIteration
            self._cursor.accept(await self._fetch(request))
        return self._cursor.items.popleft()
