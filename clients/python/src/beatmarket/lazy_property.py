"""Properties that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy_property(Generic[T]):  # noqa: N801
    """A property that is computed on first access.

    `functools.cached_property` takes a lock on Python 3.10 and 3.11. A process that is forked while another thread
    holds the lock would wait forever.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> lazy_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> T: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> T | lazy_property[T]:
        if instance is None:
            return self
        # The instance's own attribute hides this descriptor. Two threads that read it first get the same value.
        values: dict[str, Any] = instance.__dict__
        value: T = values.setdefault(self._name, self._make(instance))
        return value
