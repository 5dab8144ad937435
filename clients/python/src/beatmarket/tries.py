"""Attempts of a request: how long one may take, what its failure means, and whether another one follows."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .errors import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    BeatMarketError,
    status_error,
    unexpected_response,
)
from .observers import log
from .response import Response
from .wire import is_object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from .request import Request
    from .settings import Settings

    class Advancing(Protocol):
        """Work that may progress over several attempts."""

        def has_advanced(self) -> bool:
            """Whether there was progress since the last call of this method. If so, attempts count from one again."""
            ...


_RETRIED = frozenset({408, 423, 429, 460, 500, 502, 503, 504})
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0


class Tries:
    """Counts and evaluates the attempts of one request, or of a transfer that may progress over several attempts."""

    def __init__(self, settings: Settings, request: Request, advancing: Advancing | None = None) -> None:
        self._settings = settings
        self._request = request
        self._made = 0
        self._advancing = advancing

    @property
    def attempt(self) -> int:
        """The number of the attempt that is about to be made, from 1."""
        return self._made + 1

    def failed(self, error: APIConnectionError | APIStatusError) -> float:
        """Returns the seconds to wait before the next attempt. Raises the error if no attempts are left."""
        self._made += 1
        if self._advancing is not None and self._advancing.has_advanced():
            self._made = 1
        wait_s = self._wait_s(error)
        if wait_s is None:
            error.idempotency_key = self._request.idempotency_key
            raise error
        log.info(
            "%s %s: %s; trying again in %.2f s (%d of %d)",
            self._request.method,
            self._request.shown_url,
            error,
            wait_s,
            self._made,
            self._settings.max_retries,
        )
        return wait_s

    def _wait_s(self, error: APIConnectionError | APIStatusError) -> float | None:
        """Seconds until the next attempt; None to give up."""
        if self._made > self._settings.max_retries or not error._is_retried:
            return None
        retry_after_s = None
        if isinstance(error, APIStatusError):
            retry_after_s = error.retry_after
            if error.status not in _RETRIED and not (error.status == 409 and retry_after_s is not None):
                return None
        if retry_after_s is not None:
            return retry_after_s if retry_after_s <= self._settings.max_retry_after else None
        longest_s = min(_FIRST_WAIT_S * 2.0 ** min(self._made - 1, 10), _LONGEST_WAIT_S)
        return longest_s * random.uniform(0.5, 1)  # noqa: S311 - jitter, not a secret


def checked(response: Response, request: Request) -> Response:
    """Returns a successful response. Raises APIStatusError for any other response, and for one of an unknown form."""
    if not 200 <= response.status < 300:
        raise status_error(response)
    if not request.has_envelope or response.status == 204 or request.method == "HEAD":
        return response
    body = response.body
    if not is_object(body):
        raise APIStatusError(response)
    # The reference form has "status". The console form, which only a raw request can ask for, has "success".
    if not (body.get("status") == "success" or body.get("success") is True):
        raise unexpected_response(response)
    return response


class Deadline:
    """Limits the duration of one attempt, from connecting to the last byte."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        """Seconds."""
        self._end = time.monotonic() + timeout

    def restart(self, timeout: float | None = None) -> None:
        """Restarts the time for the next part of a body. A given timeout replaces the former one from now on."""
        self.timeout = timeout or self.timeout
        self._end = time.monotonic() + self.timeout

    def check(self) -> float:
        """The seconds left. Raises APITimeoutError if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise timed_out(self.timeout)
        return left


class SecondsLeft(Mapping[str, float]):
    """The timeouts of httpx2's steps. httpx2 looks one up when a step begins, and gets the seconds that are left."""

    _STEPS = ("connect", "read", "write", "pool")

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def __getitem__(self, step: str) -> float:
        if step not in self._STEPS:
            raise KeyError(step)
        return self._deadline.check()

    def __iter__(self) -> Iterator[str]:
        return iter(self._STEPS)

    def __len__(self) -> int:
        return len(self._STEPS)


def timed_out(timeout: float) -> APITimeoutError:
    """The error for an attempt that timed out."""
    return APITimeoutError(f"No complete response within {timeout:g} s.")


def failure_of(cause: BaseException, timeout: float) -> BeatMarketError | None:
    """Converts an error of httpx2 to one of this library. Returns None for other errors."""
    import ssl

    import httpx2

    if isinstance(cause, httpx2.TimeoutException):
        return timed_out(timeout)
    if isinstance(cause, (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, UnicodeError)):
        return BeatMarketError(f"This request cannot be sent: {cause}")
    if not isinstance(cause, (httpx2.RequestError, httpx2.StreamError)):
        return None
    inner: BaseException | None = cause
    while inner is not None and not isinstance(inner, ssl.SSLCertVerificationError):
        inner = inner.__cause__ or inner.__context__
    if inner is None:
        return APIConnectionError(f"No complete response: {cause}")
    error = APIConnectionError(
        f"The certificate of the service is not trusted: {cause}. If an authority of your own issued it, pass its PEM "
        "file as ca_file, or set BEATMARKET_CA_FILE."
    )
    error._is_retried = False
    return error
