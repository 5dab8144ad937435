"""The API's operations: how to build each request and parse its response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .errors import unexpected_response
from .events import EVENTS, Event
from .models import (
    Beat,
    BeatDetail,
    Change,
    Facets,
    Genre,
    Interpretation,
    Model,
    Order,
    OrderFiles,
    Pagination,
    Producer,
    Sale,
    SearchTotals,
    SimilarBeat,
    Upload,
    User,
)
from .pages import BeatPage, ChangePage, EventPage, ItemList, Page, SearchPage
from .wire import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from .response import Response

T = TypeVar("T")
M = TypeVar("M", bound=Model)
B = TypeVar("B", bound=Beat)


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the API."""

    id: str
    method: str
    path: str
    """The path below the base URL, with parameter names in braces."""
    call: str
    """The client's method, such as `beats.get`."""
    parse: Callable[[Response], T]
    """Parses a 2xx response. Raises APIStatusError if the response has an unknown form."""
    body: tuple[str, ...] = ()
    """Names of the arguments sent in the body."""
    has_envelope: bool = True
    """False for a response that is headers alone."""


def one(model: type[M], name: str) -> Callable[[Response], M]:
    """Parses a response with a single object of this name."""
    return lambda response: model._from_response(_fields(_data(response).get(name), response), response)


def whole_list(model: type[M], name: str) -> Callable[[Response], ItemList[M]]:
    """Parses a list without pages."""
    return lambda response: ItemList(_models(model, _data(response).get(name), response), response)


def page(model: type[M], name: str) -> Callable[[Response], Page[M]]:
    """Parses one page of a list."""

    def parse(response: Response) -> Page[M]:
        data = _data(response)
        return Page(_models(model, data.get(name), response), _pagination(data, response), response)

    return parse


def beat_page(model: type[B]) -> Callable[[Response], BeatPage[B]]:
    """Parses one page of beats."""

    def parse(response: Response) -> BeatPage[B]:
        data = _data(response)
        beats = _models(model, data.get("beats"), response)
        facets = _optional(Facets, data.get("facets"), response)
        return BeatPage(beats, _pagination(data, response), response, facets, data.get("missing"))

    return parse


def search_page(response: Response) -> SearchPage:
    """Parses one page of search results."""
    data = _data(response)
    return SearchPage(
        _models(Beat, data.get("beats"), response),
        _models(Producer, data.get("producers"), response),
        _pagination(data, response),
        response,
        SearchTotals(**_fields(data.get("totals"), response)),
        _optional(Interpretation, data.get("interpreted"), response),
        _optional(Facets, data.get("facets"), response),
    )


def change_page(response: Response) -> ChangePage:
    """Parses a page of changes."""
    data = _data(response)
    return ChangePage(_models(Change, data.get("changes"), response), _position(data.get("next"), response), response)


def order_files(response: Response) -> OrderFiles:
    """Parses the files and the license of an order."""
    data = _data(response)
    if not is_array(data.get("files")):
        raise unexpected_response(response)
    _fields(data.get("license"), response)
    return OrderFiles._from_response(data, response)


def event(response: Response) -> Event:
    """Parses a response with an event, as an object of its type."""
    fields = _fields(_data(response).get("event"), response)
    return _event_kind(fields)._from_response(fields, response)


def event_page(response: Response) -> EventPage:
    """Parses a page of events."""
    data = _data(response)
    items = data.get("events")
    if not is_array(items):
        raise unexpected_response(response)
    events = [_event_kind(_fields(item, response))(**item) for item in items]
    return EventPage(events, _position(data.get("next"), response), response)


def nothing(response: Response) -> None:
    """Parses a response of tus, which is headers alone."""
    if "tus-resumable" not in response.headers:
        raise unexpected_response(response)


def _event_kind(fields: dict[str, Any]) -> type[Event]:
    return EVENTS.get(str(fields.get("type")), Event)


def _data(response: Response) -> dict[str, Any]:
    return _fields(_fields(response.body, response).get("data"), response)


def _fields(value: Any, response: Response) -> dict[str, Any]:
    if not is_object(value):
        raise unexpected_response(response)
    return value


def _position(value: Any, response: Response) -> int:
    if not isinstance(value, int):
        raise unexpected_response(response)
    return value


def _models(model: type[M], value: Any, response: Response) -> list[M]:
    if not is_array(value):
        raise unexpected_response(response)
    return [model(**_fields(item, response)) for item in value]


def _optional(model: type[M], value: Any, response: Response) -> M | None:
    return None if value is None else model(**_fields(value, response))


def _pagination(data: dict[str, Any], response: Response) -> Pagination:
    return Pagination(**_fields(data.get("pagination"), response))


LIST_BEATS = Operation("listBeats", "GET", "/beats", "beats.list", beat_page(Beat))
LIST_DETAILED_BEATS = Operation("listBeats", "GET", "/beats", "beats.list", beat_page(BeatDetail))
"""The same with `ids` or `fields`, whose beats have, or may have, what single beats have."""
GET_BEAT = Operation("getBeat", "GET", "/beats/{beat_id}", "beats.get", one(BeatDetail, "beat"))
_BEAT_FIELDS = (
    "title",
    "genre",
    "audio",
    "price",
    "license_prices",
    "bpm",
    "key",
    "description",
    "tags",
    "cover",
    "stems",
    "preview_tag",
    "status",
)
CREATE_BEAT = Operation("createBeat", "POST", "/beats", "beats.create", one(BeatDetail, "beat"), body=_BEAT_FIELDS)
UPDATE_BEAT = Operation(
    "updateBeat", "PATCH", "/beats/{beat_id}", "beats.update", one(BeatDetail, "beat"), body=_BEAT_FIELDS
)
WITHDRAW_BEAT = Operation("withdrawBeat", "DELETE", "/beats/{beat_id}", "beats.withdraw", one(BeatDetail, "beat"))
LIST_OWN_BEATS = Operation("listOwnBeats", "GET", "/users/me/beats", "users.my_beats", page(BeatDetail, "beats"))
LIST_UPLOADS = Operation("listUploads", "GET", "/uploads", "uploads.list", page(Upload, "uploads"))
GET_UPLOAD = Operation("getUpload", "GET", "/uploads/{upload_id}", "uploads.get", one(Upload, "upload"))
RETRY_UPLOAD = Operation("retryUpload", "POST", "/uploads/{upload_id}/retry", "uploads.retry", one(Upload, "upload"))
DELETE_UPLOAD = Operation(
    "deleteUpload", "DELETE", "/uploads/{upload_id}", "uploads.delete", nothing, has_envelope=False
)
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
LIST_ORDER_FILES = Operation("listOrderFiles", "GET", "/orders/{order_id}/files", "orders.files", order_files)
LIST_SALES = Operation("listSales", "GET", "/users/me/sales", "sales.list", page(Sale, "sales"))
EXPORT_SALES = Operation("exportSales", "GET", "/users/me/sales.csv", "sales.export", lambda response: response)
LIST_CHANGES = Operation("listChanges", "GET", "/changes", "changes.list", change_page)
EXPORT_BEATS = Operation("exportBeats", "GET", "/exports/beats.ndjson.gz", "exports.beats", lambda response: response)
LIST_EVENTS = Operation("listEvents", "GET", "/events", "events.list", event_page)
GET_EVENT = Operation("getEvent", "GET", "/events/{event_id}", "events.get", event)

OPERATIONS: tuple[Operation[Any], ...] = (
    LIST_BEATS,
    GET_BEAT,
    LIST_SIMILAR_BEATS,
    CREATE_BEAT,
    UPDATE_BEAT,
    WITHDRAW_BEAT,
    LIST_OWN_BEATS,
    LIST_UPLOADS,
    GET_UPLOAD,
    RETRY_UPLOAD,
    DELETE_UPLOAD,
    GET_USER,
    UPDATE_PROFILE,
    LIST_PRODUCERS,
    LIST_GENRES,
    SEARCH,
    LIST_ORDERS,
    CREATE_ORDER,
    GET_ORDER,
    LIST_ORDER_FILES,
    LIST_SALES,
    EXPORT_SALES,
    LIST_CHANGES,
    EXPORT_BEATS,
    LIST_EVENTS,
    GET_EVENT,
)
"""All operations."""
