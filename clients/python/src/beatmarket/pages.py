"""Pages of a list, and the way from one to the next."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

from .errors import APIStatusError, BeatMarketError
from .models import Beat, Pagination, Producer
from .settings import origin_of

if TYPE_CHECKING:
    from .request import Request
    from .response import Response

T = TypeVar("T")


class Page(Generic[T]):
    """One page of a list."""

    def __init__(self, data: list[T], pagination: Pagination, response: Response) -> None:
        self.data = data
        """The items of this page alone."""
        self.pagination = pagination
        """Where the page stands in its list."""
        self.response = response
        """The answer that brought the page: request id, rate limit, status, headers, bytes."""

    @property
    def total(self) -> int:
        """Items on all pages."""
        return self.pagination.total

    def __repr__(self) -> str:
        return f"{type(self).__name__}(data={self.data!r}, pagination={self.pagination!r})"


class SearchPage(Page[Beat | Producer]):
    """One page of what a search found. `data` has its beats, then its producers."""

    def __init__(
        self, beats: list[Beat], producers: list[Producer], pagination: Pagination, response: Response
    ) -> None:
        super().__init__([*beats, *producers], pagination, response)
        self.beats = beats
        self.producers = producers


class ItemList(list[T]):
    """A list that came whole. `response` is the answer that brought it: request id, rate limit, status, headers."""

    def __init__(self, items: list[T], response: Response) -> None:
        super().__init__(items)
        self.response = response


class Cursor(Generic[T]):
    """Walks the pages of one loop. Does no I/O: it says what to ask for and is given the page.

    A failure in between changes nothing, so that the loop can go on with the page that failed.
    """

    def __init__(self, first: Request, max_items: int | None) -> None:
        if max_items is not None and max_items < 0:
            raise BeatMarketError("max_items must be 0 or more.")
        self.items: deque[T] = deque()
        """Received, and not yet taken by the loop."""
        self._first = first
        self._left = max_items
        self._next_url: str | None = first.url
        self._page: Page[T] | None = None
        self._visited: set[int] = set()

    def request(self) -> Request | None:
        """What to ask for next; None at the end.

        Raises APIStatusError where the service names an address of another origin, which must not see the key.
        """
        if self._next_url is None or self._left == 0:
            return None
        if self._page is not None and not _is_same_origin(self._next_url, self._first.url):
            raise APIStatusError(
                self._page.response,
                f"The next page is at {self._next_url!r}, which is not below base_url; the key is not sent there. "
                "Use the address that the service has for itself as base_url.",
            )
        return replace(self._first, url=self._next_url)

    def accept(self, page: Page[T]) -> None:
        """Takes the page that was asked for."""
        items = page.data if self._left is None else page.data[: self._left]
        self.items.extend(items)
        if self._left is not None:
            self._left -= len(items)
        if self._next_url is not None:
            self._visited.add(_identity(self._next_url))
        self._page = page
        # Absent when an intermediary made the answer up; a page that was visited would be a loop without end.
        url: object = getattr(page.pagination, "next_page_url", None)
        self._next_url = url if isinstance(url, str) and _identity(url) not in self._visited else None


def _is_same_origin(url: str, other: str) -> bool:
    try:
        return origin_of(url) == origin_of(other)
    except ValueError:
        return False


def _identity(url: str) -> int:
    """The same for all spellings of a page, and small, because a long walk keeps one for each page."""
    try:
        parts = urlsplit(url)
        query = {"page": "1", **dict(parse_qsl(parts.query))}
        return hash((origin_of(url), parts.path, frozenset(query.items())))
    except ValueError:
        return hash(url)
