"""An operation of the API, and the content of its responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import unexpected_response
from .model import Model, modelled
from .wire import is_array, is_object

if TYPE_CHECKING:
    from .response import Response

T = TypeVar("T")
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    id: str
    method: str
    path: str
    """The path below the base URL, with parameter names in braces."""
    call: str
    """The client's method, such as `beats.get`."""
    body: tuple[str, ...] = ()
    """Names of the arguments sent in the body."""

    @property
    def writes(self) -> bool:
        """Whether the operation writes. An error about the form of the response would then look like a failed write."""
        return self.method != "GET"


class ItemList(list[T]):
    """A list without pages. `response` has request id, rate limit, status and headers."""

    def __init__(self, items: list[T], response: Response) -> None:
        super().__init__(items)
        self.response = response


def data_of(response: Response) -> dict[str, Any]:
    """The content of the envelope. Raises APIStatusError for a response of an unknown form."""
    body = response.body
    data = body.get("data") if is_object(body) else None
    if not is_object(data):
        raise unexpected_response(response)
    return data


def object_in(response: Response, operation: Operation, model: type[M], key: str | None) -> M:
    """The object under a key of the data; without a key, the data itself.

    If it is missing, raises APIStatusError after a read, and returns an object without fields after a write.
    """
    data = data_of(response)
    fields = data if key is None else data.get(key)
    has_form = is_object(fields) and (key is not None or _has_members(fields, model))
    if not has_form and not operation.writes:
        raise unexpected_response(response)
    return model._of(fields if is_object(fields) else {}, response)


def array_in(response: Response, model: type[M], key: str) -> ItemList[M]:
    """The whole list under a key of the data."""
    return ItemList([modelled(item, model) for item in list_in(data_of(response), key, response)], response)


def list_in(data: dict[str, Any], key: str, response: Response) -> list[Any]:
    """The list under a key. Raises APIStatusError if the value is not a list."""
    items = data.get(key)
    if not is_array(items):
        raise unexpected_response(response)
    return items


def _has_members(data: dict[str, Any], model: type[Model]) -> bool:
    """Whether an object has lists wherever the model has lists of objects."""
    return all(is_array(data.get(name)) for name, (kind, is_list) in model._models().items() if kind and is_list)
