"""The difference between an argument that is None and one that was not passed."""

from __future__ import annotations

from enum import Enum
from typing import Any


class NotGiven(Enum):
    """The default of arguments whose None has a meaning."""

    NOT_GIVEN = "not given"

    def __repr__(self) -> str:
        return self.name


NOT_GIVEN = NotGiven.NOT_GIVEN


def given(**arguments: Any) -> dict[str, Any]:
    """The arguments that were passed, None included."""
    return {name: value for name, value in arguments.items() if value is not NOT_GIVEN}


def present(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}
