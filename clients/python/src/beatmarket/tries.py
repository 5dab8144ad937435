"""The retry policy: after an attempt, return the response, raise an error, or wait for the next attempt."""

from __future__ import annotations

import logging
import random
import time
from typing import TYPE_CHECKING

from .errors import APIConnectionError, APIStatusError, APITimeoutError, status_error, unexpected_response
from .response import Response
from .wire import is_object

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from .request import Request
    from .settings import Settings

    class Advancing(Protocol):
        """What may get further over several attempts."""

        def has_advanced(self) -> bool:
            """Whether something came of the attempts since the last call: then they are counted anew."""
            ...

    class Download(Advancing, Protocol):
        """What takes the body of a response, over several attempts."""

        def headers(self) -> dict[str, str]:
            """The headers of the next attempt."""
            ...

        def begin(self, status: int, headers: Mapping[str, str]) -> bool:
            """Whether it takes the body of this response."""
            ...

        def write(self, chunk: bytes) -> None:
            """Takes what has come."""
            ...


log = logging.getLogger("beatmarket")

_RETRIED = frozenset({408, 423, 429, 460, 500, 502, 503, 504})
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0


class Tries:
    """Counts and evaluates the attempts of one request, or of what advances with each attempt."""

    def __init__(self, settings: Settings, request: Request, advancing: Advancing | None = None) -> None:
        self._settings = settings
        self._request = request
        self._made = 0
        self._advancing = advancing

    def judge(self, outcome: Response | APIConnectionError) -> Response | float:
        """Returns a successful response, or the seconds to wait before the next attempt.

        Raises:
            APIConnectionError: `outcome`, if no attempts are left.
            APIStatusError: for an error response that is not retried.
        """
        if isinstance(outcome, Response):
            error = self._error(outcome)
            return outcome if error is None else self.failed(error)
        return self.failed(outcome)

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

    def _error(self, response: Response) -> APIStatusError | None:
        if not 200 <= response.status < 300:
            return status_error(response)
        has_body = self._advancing is None and self._request.has_envelope
        return None if not has_body or self._has_envelope(response) else unexpected_response(response)

    def _has_envelope(self, response: Response) -> bool:
        """Whether the body has the reference form, or the console form that a raw request can request."""
        body = response.body
        if not is_object(body):
            return self._request.method == "HEAD"
        return body.get("status") == "success" or body.get("success") is True

    def _wait_s(self, error: APIConnectionError | APIStatusError) -> float | None:
        """Seconds until the next attempt; None to give up."""
        if self._made > self._settings.max_retries:
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


class Deadline:
    """Limits the duration of one attempt, from connecting to the last byte."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._end = time.monotonic() + timeout
        self.seconds_left = dict.fromkeys(("connect", "read", "write", "pool"), timeout)
        """The timeout of httpx2's next step, which it reads when the step begins."""

    def restart(self) -> None:
        """Begins the time anew, for a body that comes in parts."""
        self._end = time.monotonic() + self._timeout

    def check(self) -> None:
        """Reduces the timeout of the next step to the remaining time. Raises APITimeoutError if none is left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise timed_out(self._timeout)
        for step in self.seconds_left:
            self.seconds_left[step] = left

    def observe(self, event: str) -> None:
        """Called when httpx2 begins to send or wait."""
        if event.endswith((".send_request_headers.started", ".receive_response_headers.started")):
            self.check()


def timed_out(timeout: float) -> APITimeoutError:
    """The error for an attempt that timed out."""
    return APITimeoutError(f"No complete response within {timeout:g} s.")
