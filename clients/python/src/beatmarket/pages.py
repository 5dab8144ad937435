"""The pages of a list, and the request of each next page. Sends no requests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from ._generated.models import BeatDetail, Pagination
from .errors import APIStatusError, BeatMarketError, unexpected_response
from .model import Model, listed, modelled
from .operation import data_of, list_in
from .request import with_query
from .settings import origin_of
from .wire import is_object

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from .request import Request
    from .response import Response

T = TypeVar("T")
X = TypeVar("X")
P = TypeVar("P", bound="BasePage[Any]")


@dataclass(frozen=True)
class Walk:
    """The request of a page, and the limits of the iteration from that page on."""

    request: Request
    left: int | None
    """The number of items that this page and later pages may have; None for all."""
    visited: frozenset[int] = frozenset()
    """The earlier pages, by `_identity`."""

    def after(self, page: BasePage[Any]) -> Walk | None:
        """The walk from the next page on; None at the end. `page` is the response to this request.

        Raises APIStatusError if the next page has another origin, which must not receive the key.
        """
        left = None if self.left is None else self.left - len(page.data)
        visited = self.visited | {_identity(self.request.url)}
        url = cast("object", page.pagination.next_page_url)
        # A page that was requested before would repeat the list forever.
        if url is None or left == 0 or (isinstance(url, str) and _identity(url) in visited):
            return None
        if not isinstance(url, str) or not _is_same_origin(url, self.request.url):
            raise APIStatusError(
                page.response,
                f"The next page is at {url!r}, which has another origin than base_url; the key is not sent there. "
                "Set base_url to the address that the service uses in its links.",
            )
        return Walk(replace(self.request, url=self._with_extra(url)), left, visited)

    def _with_extra(self, url: str) -> str:
        """The URL with the query fields that the caller added to the first page, unless the URL has them."""
        there = {name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}
        pairs = parse_qsl(self.request.extra_query, keep_blank_values=True)
        return with_query(url, urlencode([pair for pair in pairs if pair[0] not in there], quote_via=quote))


class BasePage(Generic[T]):
    """One page of a list. A loop iterates over its own items."""

    _extras: ClassVar[dict[str, type[Model]]] = {}
    """The models of the response's other fields."""

    def __init__(self, response: Response, models: dict[str, type[Model]], walk: Walk) -> None:
        data = data_of(response)
        if not is_object(data.get("pagination")):
            raise unexpected_response(response)
        left = walk.left
        self._lists: dict[str, list[Any]] = {}
        for key, model in models.items():
            items = list_in(data, key, response)
            self._lists[key] = listed(items if left is None else items[:left], model)
            left = None if left is None else left - len(self._lists[key])
        self._fields = {
            name: modelled(value, self._extras[name]) if name in self._extras else value for name, value in data.items()
        }
        self._walk = walk
        self.data: list[T] = [item for items in self._lists.values() for item in items]
        """The items of this page."""
        self.pagination: Pagination = Pagination._of(data["pagination"])
        """The pagination of the page."""
        self.response = response
        """The response of the page: request id, rate limit, status, headers, bytes."""

    @property
    def total(self) -> int:
        """Number of items on all pages."""
        return self.pagination.total

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def _extra(self, name: str, _kind: type[X]) -> X:
        """An additional field of the response, or None."""
        return cast("X", self._fields.get(name))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(data={self.data!r}, pagination={self.pagination!r})"


class Awaited(Generic[T, P]):
    """A list whose first page is awaited."""

    if TYPE_CHECKING:

        async def _first(self) -> P: ...

    async def _start(self) -> P:
        """The first page of a loop."""
        return await self._first()

    def __await__(self) -> Generator[Any, None, P]:
        """The first page."""
        return self._first().__await__()


class Held(Generic[T, P]):
    """A list whose first page is kept."""

    _page: P | None = None

    if TYPE_CHECKING:

        def _first(self) -> P: ...

    def _start(self) -> P:
        """The first page of a loop."""
        return self._first() if self._page is None else self._page

    @property
    def first_page(self) -> P:
        """The first page, fetched on first use."""
        self._page = self._start()
        return self._page

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


@dataclass(frozen=True)
class BeatBatch:
    """Beats by their ids, in that order."""

    beats: list[BeatDetail]
    missing: list[int]
    """Ids without a beat."""


def first_walk(request: Request, max_items: object) -> Walk:
    """The walk from the first page on. Raises BeatMarketError unless `max_items` is None or an integer from 0."""
    if max_items is not None and (not isinstance(max_items, int) or isinstance(max_items, bool) or max_items < 0):
        raise BeatMarketError(f"max_items must be an integer from 0, or None for all items, not {max_items!r}.")
    return Walk(request, max_items)


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
