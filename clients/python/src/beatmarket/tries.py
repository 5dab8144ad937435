"""What follows from the outcome of a try: the answer, an error, or a wait before the next try."""

from __future__ import annotations

import logging
import random
import time
from typing import TYPE_CHECKING

from .errors import APIConnectionError, APIStatusError, APITimeoutError, status_error, unexpected_answer
from .response import Response
from .wire import is_object

if TYPE_CHECKING:
    from .request import Request
    from .settings import Settings

log = logging.getLogger("beatmarket")

_RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0


class Tries:
    """Judges the tries of one request."""

    def __init__(self, settings: Settings, request: Request) -> None:
        self._settings = settings
        self._request = request
        self._made = 0

    def judge(self, outcome: Response | APIConnectionError) -> Response | float:
        """The answer when it is good, or the seconds to wait before the next try.

        Raises:
            APIConnectionError: `outcome`, when there are no tries left.
            APIStatusError: for an answer without success that trying again would not change, or not soon enough.
        """
        self._made += 1
        error = self._error(outcome) if isinstance(outcome, Response) else outcome
        if error is None:
            assert isinstance(outcome, Response)
            return outcome
        wait_s = self._wait_s(error)
        if wait_s is None:
            error.idempotency_key = self._request.idempotency_key
            raise error
        log.info(
            "%s %s: %s; trying again in %.2f s (%d of %d)",
            self._request.method,
            self._request.url,
            error,
            wait_s,
            self._made,
            self._settings.max_retries,
        )
        return wait_s

    def _error(self, response: Response) -> APIStatusError | None:
        if not 200 <= response.status < 300:
            return status_error(response)
        return None if self._has_envelope(response) else unexpected_answer(response)

    def _has_envelope(self, response: Response) -> bool:
        """Of the reference form, or of the console form, which the raw request may ask for."""
        body = response.body
        if not is_object(body):
            return self._request.method == "HEAD"
        return body.get("status") == "success" or body.get("success") is True

    def _wait_s(self, error: APIConnectionError | APIStatusError) -> float | None:
        """Seconds until the next try; None when there is none."""
        if self._made > self._settings.max_retries:
            return None
        told_s = None
        if isinstance(error, APIStatusError):
            told_s = error.retry_after
            if error.status not in _RETRIED and not (error.status == 409 and told_s is not None):
                return None
        if told_s is not None:
            return told_s if told_s <= self._settings.max_retry_after else None
        longest_s = min(_FIRST_WAIT_S * 2.0 ** (self._made - 1), _LONGEST_WAIT_S)
        return longest_s * random.uniform(0.5, 1)  # noqa: S311 - spreads clients, hides nothing


class Deadline:
    """Keeps one try, from connecting to the last byte, within the seconds it may take."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._end = time.monotonic() + timeout
        self.seconds_left = dict.fromkeys(("connect", "read", "write", "pool"), timeout)
        """What httpx2 waits at most for each of its steps; it looks when the step begins."""

    def check(self) -> None:
        """Leaves the next step only what is left. Raises APITimeoutError where that is nothing."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise timed_out(self._timeout)
        for step in self.seconds_left:
            self.seconds_left[step] = left

    def observe(self, event: str) -> None:
        """Checks when httpx2 begins to send or to wait for something."""
        if event.endswith((".send_request_headers.started", ".receive_response_headers.started")):
            self.check()


def timed_out(timeout: float) -> APITimeoutError:
    """The error for a try that took too long."""
    return APITimeoutError(f"There was no whole answer within {timeout:g} s.")
