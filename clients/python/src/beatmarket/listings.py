"""Lazy lists, which fetch pages as the loop reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .models import Beat, Facets, Interpretation, Pagination, Producer, SearchTotals
from .pages import BeatPage, Cursor, Page, SearchPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator

    from .request import Request
    from .response import Response

T = TypeVar("T")
P = TypeVar("P", bound=Page[Any])
B = TypeVar("B", bound=Beat)


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
        Cursor[T](request, max_items)  # raises immediately if max_items is invalid

    @property
    def first_page(self) -> P:
        """The first page, fetched on first use."""
        if self._first is None:
            self._first = self._parse(self._send(self._request))
        return self._first

    @property
    def data(self) -> list[T]:
        """The items of the first page."""
        return self.first_page.data

    @property
    def pagination(self) -> Pagination:
        """The pagination of the first page."""
        return self.first_page.pagination

    @property
    def total(self) -> int:
        """Number of items on all pages."""
        return self.first_page.total

    @property
    def response(self) -> Response:
        """The response of the first page: request id, rate limit, status, headers, bytes."""
        return self.first_page.response

    def __iter__(self) -> Iterator[T]:
        """Iterates over the items of all pages, or the first `max_items`."""
        cursor = Cursor[T](self._request, self._max_items)
        if self._first is not None:
            cursor.accept(self._first)
        return _Items(cursor, lambda request: self._parse(self._send(request)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._request.method} {self._request.url}>"


class Listing(_Listing[T, Page[T]]):
    """A list. Iterates over all pages; `data`, `pagination` and `total` are those of the first page.

    After an error, the same iterator resumes at the failed page.
    """


class BeatListing(_Listing[B, BeatPage[B]]):
    """A list of beats. Iterates over all pages, with the same filters; the attributes are those of the first page."""

    @property
    def facets(self) -> Facets | None:
        """How many of all beats have each value; None without `facets`."""
        return self.first_page.facets

    @property
    def missing(self) -> list[int] | None:
        """The ids that nobody has; None without `ids`."""
        return self.first_page.missing


class SearchListing(_Listing[Beat | Producer, SearchPage]):
    """Search results. Iterates over the beats, then the producers, of each page."""

    @property
    def beats(self) -> list[Beat]:
        """The beats of the first page."""
        return self.first_page.beats

    @property
    def producers(self) -> list[Producer]:
        """The producers of the first page."""
        return self.first_page.producers

    @property
    def totals(self) -> SearchTotals:
        """All results, by type."""
        return self.first_page.totals

    @property
    def interpreted(self) -> Interpretation | None:
        """What was understood of the query; None with `interpret=False`."""
        return self.first_page.interpreted

    @property
    def facets(self) -> Facets | None:
        """How many of all beats have each value; None without `facets`."""
        return self.first_page.facets


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
        Cursor[T](request, max_items)  # raises immediately if max_items is invalid

    def __await__(self) -> Generator[Any, None, P]:
        """The first page."""
        return self._fetch(self._request).__await__()

    def __aiter__(self) -> AsyncIterator[T]:
        """Iterates over the items of all pages, or the first `max_items`."""
        return _AsyncItems(Cursor[T](self._request, self._max_items), self._fetch)

    async def _fetch(self, request: Request) -> P:
        return self._parse(await self._send(request))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._request.method} {self._request.url}>"


class AsyncListing(_AsyncListing[T, Page[T]]):
    """A list. `async for` iterates over all pages; `await` returns the first, with `data`, `pagination` and `total`.

    After an error, the same iterator resumes at the failed page.
    """


class AsyncBeatListing(_AsyncListing[B, BeatPage[B]]):
    """A list of beats. `async for` iterates over all pages, with the same filters; `await` returns the first."""


class AsyncSearchListing(_AsyncListing[Beat | Producer, SearchPage]):
    """Search results. `async for` yields each page's beats, then its producers; `await` returns the first page."""


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
