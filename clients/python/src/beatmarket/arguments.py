"""Checks the types of arguments at run time, because Python does not enforce annotations."""

from __future__ import annotations

from typing import Any


def is_a(value: object, kind: type[Any] | tuple[type[Any], ...]) -> bool:
    """Whether the value has this class. Its annotation is not enough, because Python does not enforce it."""
    return isinstance(value, kind)
