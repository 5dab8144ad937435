"""The difference between an argument that is None and one that was not passed."""

from __future__ import annotations

from enum import Enum


class NotGiven(Enum):
    """The default of arguments whose None has a meaning."""

    NOT_GIVEN = "not given"

    def __repr__(self) -> str:
        return self.name


NOT_GIVEN = NotGiven.NOT_GIVEN
