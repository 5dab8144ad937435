"""The base class of the API's objects, which keep all received values."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any, ClassVar

from .wire import is_array, is_object

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform

    from .response import Response
else:

    def dataclass_transform(**_: object) -> Any:
        """Replaces the decorator of typing_extensions, which only type checkers need, without loading that module."""
        return lambda kind: kind


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Model:
    """A read-only object of the API. Its attributes have the API's field names.

    Values are unchanged, also those of another type than is documented; a known field that is missing is None. Unknown
    fields are kept: `beat.to_dict()["new_field"]`, or `getattr(beat, "new_field")`. The API may add values to
    enumerations (`status`, `license_type`).
    """

    # The fields are not in __dict__, where a field could hide a method.
    __slots__ = ("__weakref__", "_fields", "_response")
    _known: ClassVar[dict[str, tuple[type[Model] | None, bool]] | None] = None
    _parts: ClassVar[list[tuple[str, type[Model], bool]]] = []

    if TYPE_CHECKING:
        _fields: dict[str, Any]
        _response: Response | None

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:  # The default values are for type checkers.
            if name in cls.__dict__ and not name.startswith("_"):
                delattr(cls, name)

    def __init__(self, /, **fields: Any) -> None:
        for name, model, is_list in self._nested():
            if name in fields:
                fields[name] = listed(fields[name], model) if is_list else modelled(fields[name], model)
        object.__setattr__(self, "_fields", fields)
        object.__setattr__(self, "_response", None)

    @classmethod
    def _of(cls, fields: dict[str, Any], response: Response | None = None) -> Self:
        """The model of `fields` from `response`."""
        model: Self = cls._kind(fields)(**fields)
        object.__setattr__(model, "_response", response)
        return model

    @classmethod
    def _kind(cls, fields: dict[str, Any]) -> Any:
        """The class of an object with these fields."""
        return cls

    @classmethod
    def _models(cls) -> dict[str, tuple[type[Model] | None, bool]]:
        """The known fields, each with its model and whether it is a list, from the annotations."""
        if "_known" not in cls.__dict__:
            hints = {name: hint for name, hint in typing.get_type_hints(cls).items() if not name.startswith("_")}
            cls._known = {name: _model_in(hint) for name, hint in hints.items()}
        return cls._known or {}

    @classmethod
    def _nested(cls) -> list[tuple[str, type[Model], bool]]:
        """The entries of `_models` that have a model."""
        if "_parts" not in cls.__dict__:
            cls._parts = [(name, model, is_list) for name, (model, is_list) in cls._models().items() if model]
        return cls._parts

    @property
    def response(self) -> Response:
        """The response with this object: request id, rate limit, status, headers, bytes.

        Raises AttributeError if the object is part of a larger one, such as a page, which has the response.
        """
        if self._response is None:
            raise AttributeError
        return self._response

    def to_dict(self) -> dict[str, Any]:
        """All fields, including unknown ones, as plain dicts, lists and values."""
        return {name: plain(value) for name, value in self._fields.items()}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields == getattr(other, "_fields", None)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._fields.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._of, (self.to_dict(), self._response)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "response":
                raise AttributeError(f"This {type(self).__name__} is part of a larger object, which has the response.")
            if not name.startswith("__"):
                if name in self._fields:
                    return self._fields[name]
                if name in self._models():
                    return None
            raise AttributeError(f"{type(self).__name__} has no field {name}.")

        def __dir__(self) -> list[str]:
            return [*super().__dir__(), *self._models(), *(name for name in self._fields if name.isidentifier())]

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"{type(self).__name__} is read-only.")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is read-only.")


def modelled(value: Any, model: type[Model]) -> Any:
    """The model of an object. Any other value is unchanged."""
    return model._of(value) if is_object(value) else value


def listed(value: Any, model: type[Model]) -> Any:
    """The models of a list of objects. Any other value is unchanged."""
    return [modelled(item, model) for item in value] if is_array(value) else value


def plain(value: Any) -> Any:
    """The value with dicts in place of models."""
    if isinstance(value, Model):
        return value.to_dict()
    return [plain(item) for item in value] if is_array(value) else value


def _model_in(hint: Any) -> tuple[type[Model] | None, bool]:
    """The first model in an annotation of lists and unions, and whether it is in a list."""
    is_list = False
    while arguments := typing.get_args(hint):
        is_list = is_list or typing.get_origin(hint) is list
        hint = arguments[0]
    return (hint if isinstance(hint, type) and issubclass(hint, Model) else None), is_list
