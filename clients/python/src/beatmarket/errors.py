"""Every error that this package raises. All are a BeatMarketError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .wire import is_object

if TYPE_CHECKING:
    from .response import RateLimit, Response


class BeatMarketError(Exception):
    """Something went wrong here or there: the base of all errors of this package.

    Raised as such for what the caller must correct, such as a missing API key, an empty id or an empty webhook secret.
    """

    idempotency_key: str | None = None
    """The Idempotency-Key of the request that failed, where it had one. The same call with the same key never buys
    twice."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles without the state of a constructor, so that errors cross processes."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[BeatMarketError], args: tuple[Any, ...], state: dict[str, Any]) -> BeatMarketError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class APIConnectionError(BeatMarketError):
    """There was no whole answer: refused, dropped, or TLS failed. `__cause__` is the error of httpx2."""


class APITimeoutError(APIConnectionError):
    """There was no whole answer within `timeout` seconds."""


class APIStatusError(BeatMarketError):
    """The service answered, but not with success."""

    def __init__(self, response: Response, message: str | None = None) -> None:
        error = _error_object(response)
        self.response: Response = response
        """The whole answer."""
        self.status: int = response.status
        """HTTP status code."""
        self.code: str | None = error.get("code")
        """The service's code, such as `not_found`; None where the body is not an error of the service."""
        self.message: str = error.get("message") or message or f"HTTP status {response.status} without an explanation"
        """Short text."""
        self.details: str | None = error.get("details")
        """What exactly is wrong, and what to do; None where the body is not an error of the service."""
        self.request_id: str | None = response.request_id
        """The header X-Request-Id, which the service's operators can look up."""
        self.rate_limit: RateLimit | None = response.rate_limit
        """What is left for the key; None where the answer had no such headers."""
        self.retry_after: float | None = response.retry_after
        """Seconds after which to try again; None where the service did not say so."""
        head = f"{self.status} {self.code}" if self.code else str(self.status)
        super().__init__(": ".join(filter(None, [head, self.message, self.details])))

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.request_id is None else f"{text} (request id {self.request_id})"


class InvalidRequestError(APIStatusError):
    """400, or code `invalid_request`: a parameter is wrong, or (409) it stands against what happened before."""


class AuthenticationError(APIStatusError):
    """401, `unauthorized`: the API key is missing, mistyped, expired or revoked."""


class PermissionDeniedError(APIStatusError):
    """403, `forbidden`: the key lacks a permission."""


class NotFoundError(APIStatusError):
    """404, `not_found`: there is no such thing, or not for this key."""


class RateLimitError(APIStatusError):
    """429, `rate_limit_exceeded`: `retry_after` says in how many seconds a request will be admitted."""


class ServerError(APIStatusError):
    """500 to 599: not your fault."""


class SignatureVerificationError(BeatMarketError):
    """A webhook is not proven to come from the service. Answer it with 401 and do nothing else."""


BY_CODE: dict[str, type[APIStatusError]] = {
    "invalid_request": InvalidRequestError,
    "unauthorized": AuthenticationError,
    "forbidden": PermissionDeniedError,
    "not_found": NotFoundError,
    "rate_limit_exceeded": RateLimitError,
    "server_error": ServerError,
}
"""The class for each code of the contract (section 7), where the status does not decide."""

_BY_STATUS: dict[int, type[APIStatusError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    429: RateLimitError,
}


_REDIRECT = "The answer leads elsewhere, where the key is not sent: is base_url right?"


def status_error(response: Response) -> APIStatusError:
    """The error for an answer whose status is not 2xx."""
    kind = ServerError if 500 <= response.status < 600 else _BY_STATUS.get(response.status)
    if kind is None:
        kind = BY_CODE.get(_error_object(response).get("code", ""), APIStatusError)
    is_redirect = 300 <= response.status < 400 and "location" in response.headers
    return kind(response, _REDIRECT if is_redirect else None)


def unexpected_answer(response: Response) -> APIStatusError:
    """The error for an answer of 2xx that is not of the contract's form."""
    return APIStatusError(response, "The answer is not of the form that the contract has: is base_url right?")


def _error_object(response: Response) -> dict[str, str]:
    error = response.body.get("error") if is_object(response.body) else None
    return {name: value for name, value in error.items() if isinstance(value, str)} if is_object(error) else {}
