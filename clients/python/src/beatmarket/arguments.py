"""Checks the types of arguments at run time, because Python does not enforce annotations."""

from __future__ import annotations

from typing import Any


def is_a(value: object, kind: type[Any] | tuple[type[Any], ...]) -> bool:
    """Whether the value is of this class, whatever its annotation says."""
    return isinstance(value, kind)
