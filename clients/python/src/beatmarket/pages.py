"""Pages of a list, and how to get from one to the next."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

from .errors import APIStatusError, BeatMarketError
from .models import Beat, BeatDetail, Change, Facets, Interpretation, Pagination, Producer, SearchTotals
from .settings import origin_of

if TYPE_CHECKING:
    from .events import Event
    from .request import Request
    from .response import Response

T = TypeVar("T")
B = TypeVar("B", bound=Beat)


class Page(Generic[T]):
    """One page of a list."""

    def __init__(self, data: list[T], pagination: Pagination, response: Response) -> None:
        self.data = data
        """The items of this page."""
        self.pagination = pagination
        """The pagination of the page."""
        self.response = response
        """The response of the page: request id, rate limit, status, headers, bytes."""

    @property
    def total(self) -> int:
        """Number of items on all pages."""
        return self.pagination.total

    def __repr__(self) -> str:
        return f"{type(self).__name__}(data={self.data!r}, pagination={self.pagination!r})"


class BeatPage(Page[B]):
    """One page of beats."""

    def __init__(
        self,
        data: list[B],
        pagination: Pagination,
        response: Response,
        facets: Facets | None = None,
        missing: list[int] | None = None,
    ) -> None:
        super().__init__(data, pagination, response)
        self.facets = facets
        """How many of all beats have each value; None without `facets`."""
        self.missing = missing
        """The ids that nobody has; None without `ids`."""


class SearchPage(Page[Beat | Producer]):
    """One page of search results. `data` has its beats, then its producers."""

    def __init__(
        self,
        beats: list[Beat],
        producers: list[Producer],
        pagination: Pagination,
        response: Response,
        totals: SearchTotals,
        interpreted: Interpretation | None = None,
        facets: Facets | None = None,
    ) -> None:
        super().__init__([*beats, *producers], pagination, response)
        self.beats = beats
        self.producers = producers
        self.totals = totals
        """All results, by type."""
        self.interpreted = interpreted
        """What was understood of the query; None with `interpret=False`."""
        self.facets = facets
        """How many of all beats have each value; None without `facets`."""


@dataclass(frozen=True)
class BeatBatch:
    """Beats by their ids, in that order."""

    beats: list[BeatDetail]
    missing: list[int]
    """Ids that nobody has."""


class ItemList(list[T]):
    """A list without pages. `response` has request id, rate limit, status and headers."""

    def __init__(self, items: list[T], response: Response) -> None:
        super().__init__(items)
        self.response = response


@dataclass(frozen=True)
class ChangePage:
    """A page of changes, in the order of commits."""

    changes: list[Change]
    next: int
    """The position to go on from."""
    response: Response = field(repr=False, compare=False)


@dataclass(frozen=True)
class EventPage:
    """A page of events, in the order of commits."""

    events: list[Event]
    next: int
    """The position to go on from."""
    response: Response = field(repr=False, compare=False)


class Cursor(Generic[T]):
    """The position of one loop in its pages. Does no I/O: it names the next request and receives its page.

    A failed request does not change the position, so the loop can resume at the failed page.
    """

    def __init__(self, first: Request, max_items: int | None) -> None:
        if max_items is not None and max_items < 0:
            raise BeatMarketError("max_items must be 0 or more.")
        self.items: deque[T] = deque()
        """Items received but not yet yielded."""
        self._first = first
        self._left = max_items
        self._next_url: str | None = first.url
        self._page: Page[T] | None = None
        self._visited: set[int] = set()

    def request(self) -> Request | None:
        """The next request; None at the end.

        Raises APIStatusError if the next page has another origin, which must not receive the key.
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
        """Accepts the requested page."""
        items = page.data if self._left is None else page.data[: self._left]
        self.items.extend(items)
        if self._left is not None:
            self._left -= len(items)
        if self._next_url is not None:
            self._visited.add(_identity(self._next_url))
        self._page = page
        # Absent if an intermediary produced the response. A page that was visited before would loop forever.
        url: object = getattr(page.pagination, "next_page_url", None)
        self._next_url = url if isinstance(url, str) and _identity(url) not in self._visited else None


def _is_same_origin(url: str, other: str) -> bool:
    try:
        return origin_of(url) == origin_of(other)
    except ValueError:
        return False


def _identity(url: str) -> int:
    """A hash of the normalized URL: small, because a long iteration keeps one per page."""
    try:
        parts = urlsplit(url)
        query = {"page": "1", **dict(parse_qsl(parts.query))}
        return hash((origin_of(url), parts.path, frozenset(query.items())))
    except ValueError:
        return hash(url)
