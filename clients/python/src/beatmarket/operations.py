"""The operations of the contract: what each one sends and what its answer becomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .errors import unexpected_answer
from .models import Beat, BeatDetail, Genre, Model, Order, Pagination, Producer, SimilarBeat, User
from .pages import ItemList, Page, SearchPage
from .wire import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from .response import Response

T = TypeVar("T")
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Operation(Generic[T]):
    """One row of the contract's table."""

    id: str
    method: str
    path: str
    """Below the base address, with the names of its parameters in braces."""
    call: str
    """The client's method, such as `beats.get`."""
    parse: Callable[[Response], T]
    """The result out of an answer of 2xx. Raises APIStatusError where the answer has another form."""
    body: tuple[str, ...] = ()
    """Arguments that go into the body."""


def one(model: type[M], name: str) -> Callable[[Response], M]:
    """Reads the object that is called so."""
    return lambda response: model._answered(_fields(_data(response).get(name), response), response)


def whole_list(model: type[M], name: str) -> Callable[[Response], ItemList[M]]:
    """Reads a list that has no pages."""
    return lambda response: ItemList(_models(model, _data(response).get(name), response), response)


def page(model: type[M], name: str) -> Callable[[Response], Page[M]]:
    """Reads one page of a list."""

    def parse(response: Response) -> Page[M]:
        data = _data(response)
        return Page(_models(model, data.get(name), response), _pagination(data, response), response)

    return parse


def search_page(response: Response) -> SearchPage:
    """Reads one page of what a search found."""
    data = _data(response)
    beats = _models(Beat, data.get("beats"), response)
    producers = _models(Producer, data.get("producers"), response)
    return SearchPage(beats, producers, _pagination(data, response), response)


def _data(response: Response) -> dict[str, Any]:
    return _fields(_fields(response.body, response).get("data"), response)


def _fields(value: Any, response: Response) -> dict[str, Any]:
    if not is_object(value):
        raise unexpected_answer(response)
    return value


def _models(model: type[M], value: Any, response: Response) -> list[M]:
    if not is_array(value):
        raise unexpected_answer(response)
    return [model(**_fields(item, response)) for item in value]


def _pagination(data: dict[str, Any], response: Response) -> Pagination:
    return Pagination(**_fields(data.get("pagination"), response))


LIST_BEATS = Operation("listBeats", "GET", "/beats", "beats.list", page(Beat, "beats"))
GET_BEAT = Operation("getBeat", "GET", "/beats/{beat_id}", "beats.get", one(BeatDetail, "beat"))
LIST_SIMILAR_BEATS = Operation(
    "listSimilarBeats", "GET", "/beats/{beat_id}/similar", "beats.similar", whole_list(SimilarBeat, "beats")
)
GET_USER = Operation("getUser", "GET", "/users/{user_id}", "users.get", one(User, "user"))
UPDATE_PROFILE = Operation(
    "updateProfile",
    "PUT",
    "/users/profile",
    "users.update_profile",
    one(User, "user"),
    body=("display_name", "bio", "location", "website", "avatar_url"),
)
LIST_PRODUCERS = Operation("listProducers", "GET", "/producers", "producers.list", page(Producer, "producers"))
LIST_GENRES = Operation("listGenres", "GET", "/genres", "genres.list", whole_list(Genre, "genres"))
SEARCH = Operation("search", "GET", "/search", "search", search_page)
LIST_ORDERS = Operation("listOrders", "GET", "/orders", "orders.list", page(Order, "orders"))
CREATE_ORDER = Operation(
    "createOrder",
    "POST",
    "/orders",
    "orders.create",
    one(Order, "order"),
    body=("beat_id", "payment_method", "license_type"),
)
GET_ORDER = Operation("getOrder", "GET", "/orders/{order_id}", "orders.get", one(Order, "order"))

OPERATIONS: tuple[Operation[Any], ...] = (
    LIST_BEATS,
    GET_BEAT,
    LIST_SIMILAR_BEATS,
    GET_USER,
    UPDATE_PROFILE,
    LIST_PRODUCERS,
    LIST_GENRES,
    SEARCH,
    LIST_ORDERS,
    CREATE_ORDER,
    GET_ORDER,
)
"""All of them."""
