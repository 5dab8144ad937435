"""Headers and fields that a caller adds to requests, in addition to the arguments of their methods."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from .arguments import is_a
from .errors import BeatMarketError

_OWN_HEADERS = re.compile(
    "accept|accept-encoding|authorization|connection|content-(encoding|length|type)|expect|host|idempotency-key|if-match"
    "|if-range|last-event-id|range|te|transfer-encoding|tus-.*|upload-.*|user-agent|x-api-key"
)


def checked_headers(headers: object) -> dict[str, str]:
    """Extra headers by their names in lower case.

    Raises:
        BeatMarketError: one of them is not a header, or is one that the client sets itself.
    """
    checked: dict[str, str] = {}
    for name, value in _mapping("headers", headers).items():
        if not is_a(name, str) or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            raise BeatMarketError(f"{name!r} is not the name of a header.")
        if _OWN_HEADERS.fullmatch(name.lower()):
            raise BeatMarketError(
                f"The client sets the header {name} itself: use the argument for it, or send it with `request`."
            )
        checked[name.lower()] = header_value(name, value)
    return checked


def checked_fields(what: str, fields: object) -> dict[str, Any]:
    """Extra fields of queries or bodies. Raises BeatMarketError if they are not a mapping from names to values."""
    mapping = _mapping(what, fields)
    for name in mapping:
        if not is_a(name, str):
            raise BeatMarketError(f"The names in {what} must be texts, not {name!r}.")
    return {**mapping}


def checked_suffix(suffix: object) -> str:
    """The suffix of User-Agent, with a space before it; "" for None. Raises BeatMarketError for an invalid one."""
    if suffix is None:
        return ""
    if not isinstance(suffix, str) or not re.fullmatch("[!-~]+( [!-~]+)*", suffix):
        raise BeatMarketError(f"user_agent_suffix must be like my-shop/1.2, on one line, not {suffix!r}.")
    return f" {suffix}"


def added(what: str, own: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a call sends and those that the caller adds.

    Raises:
        BeatMarketError: the call sends one of them itself.
    """
    for name in extra:
        if name in own:
            raise BeatMarketError(f"This call sends {name} itself: leave out its argument, or {name!r} in {what}.")
    return {**own, **extra}


def header_value(name: str, value: object) -> str:
    """The value of a header. Raises BeatMarketError if it is not one line of text."""
    if not isinstance(value, str):
        raise BeatMarketError(f"The header {name} takes text, not {value!r}.")
    if re.search("[\r\n\0]", value):
        raise BeatMarketError(f"The header {name!r} has a line break; it takes one line.")
    return value


def _mapping(what: str, given: object) -> Mapping[Any, Any]:
    if given is None:
        return {}
    if not is_a(given, Mapping):
        raise BeatMarketError(f"{what} must be a dict, not {type(given).__name__}.")
    return cast("Mapping[Any, Any]", given)
