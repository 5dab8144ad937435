"""Reports each attempt to the hooks of the caller, and by BEATMARKET_LOG to standard error."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from .arguments import is_a
from .errors import BeatMarketError, status_error

if TYPE_CHECKING:
    from .request import Request
    from .response import Response

log = logging.getLogger("beatmarket")

_LEVELS = ("info", "debug")
_SHOWN_OF_KEY = 4
_LEAST_OF_SHOWN_KEY = 16
_SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
_warned: set[str] = set()


@dataclass(frozen=True)
class RequestInfo:
    """One attempt of a request, as it begins."""

    method: str
    path: str
    """The path of the URL, without its query."""
    operation: str | None
    """The operation of the API, such as `listBeats`; None for `request` and for links of files."""
    attempt: int
    """The number of the attempt, counted from 1."""
    request_headers: Mapping[str, str]
    """The headers by lower-case name. Only the end of the key is shown."""


@dataclass(frozen=True)
class ResponseInfo(RequestInfo):
    """One attempt of a request, when it has ended."""

    status: int | None
    """The HTTP status; None without a response."""
    duration_ms: float
    """The time until the last byte of the body."""
    request_id: str | None
    """The header X-Request-Id."""
    error: BaseException | None
    """The error of the attempt: an error response, or no complete response. None if the attempt succeeded."""


T = TypeVar("T")
OnRequest = Callable[[RequestInfo], object]
OnResponse = Callable[[ResponseInfo], object]


@dataclass(frozen=True)
class Observers:
    """The hooks and the log, which are notified of attempts."""

    on_request: OnRequest | None = None
    on_response: OnResponse | None = None
    level: str | None = field(default_factory=lambda: _level())

    def __post_init__(self) -> None:
        for name in ("on_request", "on_response"):
            hook: object = getattr(self, name)
            if hook is not None and not callable(hook):
                raise BeatMarketError(f"{name} must be a function, not {hook!r}.")


class Attempt:
    """One attempt, from its start to its end."""

    def __init__(self, observers: Observers, request: Request, headers: Mapping[str, str], number: int) -> None:
        self._observers = observers
        self._request = request
        self._began = time.monotonic()
        self._headers = headers
        self._number = number
        if observers.on_request is not None:
            _call(observers.on_request, RequestInfo(*self._parts()))

    def ended(
        self, status: int | None, headers: Mapping[str, str], response: Response | None, error: BaseException | None
    ) -> None:
        """Reports the result of the attempt. Raises the error of a hook. `response` is None without a whole body."""
        level, hook = self._observers.level, self._observers.on_response
        is_logged = status is not None and log.isEnabledFor(logging.DEBUG)
        if level is None and hook is None and not is_logged:
            return  # The look-up of a header would take longer than the rest.
        ms = (time.monotonic() - self._began) * 1000
        request_id = headers.get("x-request-id")
        if is_logged:
            shown = (self._request.method, self._request.shown_url, status, ms, request_id)
            log.debug("%s %s: %d in %.0f ms, request id %s", *shown)
        if level is None and hook is None:
            return
        is_refused = response is not None and not 200 <= response.status < 300
        if response is not None and is_refused and (self._request.has_key or response.status >= 400):
            error = error or status_error(response)
        info = ResponseInfo(*self._parts(), status, ms, request_id, error)
        if level is not None:
            _print(_lines(info, headers, has_headers=level == "debug"))
        if hook is not None:
            _call(hook, info)

    def _parts(self) -> tuple[str, str, str | None, int, dict[str, str]]:
        shown = {name: _masked(value) if name == "authorization" else value for name, value in self._headers.items()}
        request = self._request
        return request.method, urlsplit(request.url).path, request.operation, self._number, shown


def _call(hook: Callable[[T], object], info: T) -> None:
    """Calls a hook. Its error ends the call, and must not look like an error of the attempt, which would be retried."""
    try:
        hook(info)
    except BeatMarketError as error:
        error._is_retried = False
        raise


def _masked(authorization: str) -> str:
    key = authorization.removeprefix("Bearer ")
    end = key[-_SHOWN_OF_KEY:] if len(key) >= _LEAST_OF_SHOWN_KEY else ""
    return f"Bearer bm_…{end}"


def _lines(info: ResponseInfo, headers: Mapping[str, str], has_headers: bool) -> list[str]:
    outcome = type(info.error).__name__ if info.status is None else str(info.status)
    words = [info.method, info.path, outcome, f"{info.duration_ms:.0f} ms", info.request_id or "-"]
    lines = [f"{' '.join(words)} attempt {info.attempt}"]
    if has_headers:
        lines += [f"> {name}: {_without_secret(name, value)}" for name, value in info.request_headers.items()]
        lines += [f"< {name}: {_without_secret(name, value)}" for name, value in headers.items()]
    return lines


def _without_secret(name: str, value: str) -> str:
    is_secret = name.lower() in _SECRET_HEADERS and not value.startswith("Bearer bm_…")
    return "…" if is_secret else value


def _print(lines: list[str]) -> None:
    # Without a console, such as under pythonw, sys.stderr is None.
    if is_a(sys.stderr, type(None)):
        return
    sys.stderr.write("".join(f"beatmarket {line}\n" for line in lines))
    sys.stderr.flush()


def _level() -> str | None:
    text = os.environ.get("BEATMARKET_LOG", "").strip().lower()
    if text in _LEVELS or not text:
        return text or None
    if text not in _warned:
        _warned.add(text)
        _print([f"BEATMARKET_LOG is {text!r}, which is not known: it takes info or debug."])
    return None
