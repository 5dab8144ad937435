"""What is sent: the request of an operation, complete but for the key."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from .errors import BeatMarketError
from .settings import USER_AGENT, Settings

# What the URL's parser would resolve away: the call would go to another address than the one that was written.
_LEADS_OUT = re.compile(r"[#\\]|/(\.|%2e){1,2}(/|\?|$)", re.IGNORECASE)

QueryValue = str | int | float | bool | None
Query = Mapping[str, QueryValue]


@dataclass(frozen=True)
class Request:
    """One request; each of its tries sends the same."""

    method: str
    url: str
    headers: dict[str, str]
    """Names in lower case."""
    content: bytes | None = None

    @property
    def idempotency_key(self) -> str | None:
        """Present on every POST."""
        return self.headers.get("idempotency-key")


def build_request(
    settings: Settings,
    method: str,
    path: str,
    *,
    query: Query | None = None,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Request:
    """A request below the base address.

    Args:
        settings: of the client.
        method: an HTTP method.
        path: begins with a slash; already percent-encoded.
        query: None values are left out.
        body: what JSON can say; None for none.
        headers: beside, or instead of, those that every request has. A POST without Idempotency-Key gets a random one.

    Raises:
        BeatMarketError: the path is not below the base address, or the Idempotency-Key is none.
    """
    if not path.startswith("/") or _LEADS_OUT.search(path):
        raise BeatMarketError(
            f"The path must begin with a slash and stay below base_url, without dot segments and #, not {path!r}."
        )
    sent = {"accept": "application/json", "user-agent": USER_AGENT}
    if body is not None:
        sent["content-type"] = "application/json"
    sent.update({name.lower(): value for name, value in (headers or {}).items()})
    if method.upper() == "POST":
        sent["idempotency-key"] = _checked_key(sent.get("idempotency-key", str(uuid.uuid4())))
    given = {name: _query_text(value) for name, value in (query or {}).items() if value is not None}
    url = settings.base_url + path
    if given:
        url += ("&" if "?" in path else "?") + urlencode(given, quote_via=quote)
    return Request(method.upper(), url, sent, None if body is None else json.dumps(body, allow_nan=False).encode())


def path_segment(name: str, value: int | str | None) -> str:
    """An id as one segment of a path. Raises BeatMarketError for what cannot be one, such as the None of a look-up."""
    text = "" if value is None else str(value)
    if text in ("", ".", ".."):
        raise BeatMarketError(f"{name} must not be {text!r}.")
    return quote(text, safe="")


def _query_text(value: QueryValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _checked_key(key: str) -> str:
    if not 1 <= len(key) <= 255 or not all("!" <= character <= "~" for character in key):
        raise BeatMarketError("idempotency_key must be 1 to 255 visible ASCII characters.")
    return key
