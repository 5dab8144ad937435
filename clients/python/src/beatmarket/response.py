"""Raw responses."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class RateLimit:
    """The rate-limit window of the key with the fewest requests left."""

    limit: int
    """Requests that the window allows."""
    remaining: int
    """Requests left in the window."""
    reset: int
    """Unix time in seconds at which the next request becomes available."""


class Response:
    """A raw response: status, headers and body."""

    __slots__ = ("_body", "content", "headers", "status")

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status = status
        """HTTP status code."""
        self.headers = headers
        """The headers; look-ups ignore the case of names."""
        self.content = content
        """The decompressed bytes of the body."""
        self._body: Any = _UNREAD

    @property
    def body(self) -> Any:
        """The body as parsed JSON, envelope included; None if there is no body or it is not JSON."""
        if self._body is _UNREAD:
            try:
                self._body = json.loads(self.content)
            except (ValueError, RecursionError):
                self._body = None
        return self._body

    @property
    def request_id(self) -> str | None:
        """The header X-Request-Id; quote it when you report a problem."""
        return self.headers.get("x-request-id")

    @property
    def etag(self) -> str | None:
        """The header ETag, or None. Pass it as `if_match` to change your own beat only if it is unchanged."""
        return self.headers.get("etag")

    @property
    def rate_limit(self) -> RateLimit | None:
        """The rate limit of the key; None if the response has no such headers."""
        limit, remaining, reset = (
            _whole_number(self.headers.get(f"x-ratelimit-{name}")) for name in ("limit", "remaining", "reset")
        )
        if limit is None or remaining is None or reset is None:
            return None
        return RateLimit(int(limit), int(remaining), int(reset))

    @property
    def retry_after(self) -> float | None:
        """The header Retry-After in seconds from now; None if it is absent, past or invalid."""
        text = self.headers.get("retry-after")
        seconds = _whole_number(text)
        return seconds if text is None or seconds is not None else _seconds_until(text)

    def __repr__(self) -> str:
        return f"<Response {self.status}, {len(self.content)} bytes, request id {self.request_id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Response, (self.status, self.headers, self.content)


_UNREAD = object()


def _whole_number(text: str | None) -> float | None:
    """Parses a float, because int() refuses very long strings."""
    return float(text) if text is not None and text.isascii() and text.isdigit() else None


def _seconds_until(http_date: str) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        seconds = parsedate_to_datetime(http_date).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return seconds if seconds > 0 else None
