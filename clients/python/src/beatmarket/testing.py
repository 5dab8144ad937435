"""Recorded examples of the API, for tests of your own that need no service."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, cast


def response(operation: str) -> Any:
    """The body of a successful response, such as of `getBeat`. Raises KeyError if it is not recorded."""
    return json.loads(_texts("responses")[operation])


def event(type: str) -> bytes:
    """The body of a delivery, such as of `beat.purchased`, for `webhooks.sign`. Raises KeyError for an unknown type."""
    return _texts("events")[type].encode()


@cache
def _texts(group: str) -> dict[str, str]:
    """The examples as JSON text: each test parses its own copy, which it may change."""
    file = Path(__file__).with_name("_generated") / "fixtures.json"
    every = cast("dict[str, dict[str, Any]]", json.loads(file.read_text("utf-8")))
    return {name: json.dumps(example, ensure_ascii=False) for name, example in every[group].items()}
