"""The errors of this package. All are subclasses of BeatMarketError."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .wire import is_object

if TYPE_CHECKING:
    from ._generated.models import Upload
    from .response import RateLimit, Response


class BeatMarketError(Exception):
    """The base class of all errors of this package.

    Raised itself for mistakes of the caller, such as a missing API key, an empty id or an empty webhook secret.
    """

    idempotency_key: str | None = None
    """The Idempotency-Key of the failed request, if it had one.

    A call that is repeated with it within 24 hours takes effect only once.
    """
    _is_retried = True
    """Whether another attempt may help."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles without calling the constructor, so that errors can be passed between processes."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[BeatMarketError], args: tuple[Any, ...], state: dict[str, Any]) -> BeatMarketError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class APIConnectionError(BeatMarketError):
    """No complete response: connection refused or dropped, TLS failed, or a download is incomplete.

    `__cause__` is the error of httpx2, if there is one.
    """


class APITimeoutError(APIConnectionError):
    """No complete response within `timeout` seconds; or an upload that is not ready in time."""


class APIStatusError(BeatMarketError):
    """An error response, or a response of an unknown form."""

    def __init__(self, response: Response, message: str | None = None) -> None:
        error = _error_object(response)
        self.response: Response = response
        """The raw response."""
        self.status: int = response.status
        """HTTP status code."""
        self.code: str | None = error.get("code")
        """The API's error code, such as `not_found`; None if the body is not an error of the API."""
        self.message: str = error.get("message") or message or foreign(response)
        """A short message."""
        self.details: str | None = error.get("details")
        """What is wrong and what to do; None if the body is not an error of the API."""
        self.request_id: str | None = response.request_id
        """The header X-Request-Id; quote it when you report a problem."""
        self.rate_limit: RateLimit | None = response.rate_limit
        """The rate limit of the key; None if the response has no such headers."""
        self.retry_after: float | None = response.retry_after
        """Seconds to wait before the next request; None if the response has none."""
        self.content_type: str | None = _media_type(response)
        """The content type without parameters, such as `text/html` of a proxy. None if there is none."""
        self.excerpt: str = _excerpt(response)
        """The first 200 characters of the body on one line; empty without a body."""
        head = f"{self.status} {self.code}" if self.code else str(self.status)
        text = ": ".join(filter(None, [head, self.message, self.details]))
        super().__init__(text if self.request_id is None else f"{text} (request {self.request_id})")


class InvalidRequestError(APIStatusError):
    """400, or code `invalid_request`: the request is invalid, or (409) conflicts with the current state."""


class AuthenticationError(APIStatusError):
    """401, `unauthorized`: the API key is missing, mistyped, expired or revoked."""


class PermissionDeniedError(APIStatusError):
    """403, `forbidden`: the key may not make this call; `details` has the reason, such as a missing permission."""


class NotFoundError(APIStatusError):
    """404, `not_found`: the resource does not exist, or this account may not see it."""


class GoneError(APIStatusError):
    """410. For changes and events: the service no longer keeps the entries after `after`.

    Take an export, or begin the events without `after`. For an archive: the order was refunded in full. For any other
    download: the link was refused, the client requested a new one, and that was refused, too.
    """


class PreconditionFailedError(APIStatusError):
    """412: the beat has changed since the response whose ETag `if_match` has. Get the beat again, and decide again."""


class RateLimitError(APIStatusError):
    """429, `rate_limit_exceeded`: `retry_after` has the seconds to wait."""


class ServerError(APIStatusError):
    """500 to 599: the service failed."""


class SignatureVerificationError(BeatMarketError):
    """A webhook request with a missing or invalid signature, time or id. Respond with 401 and ignore the request."""


class ChecksumError(BeatMarketError):
    """A downloaded file with other bytes than the service lists. It is deleted; download it again."""


class UploadRejectedError(BeatMarketError):
    """The file of an upload was rejected; the message is the reason."""

    def __init__(self, upload: Upload) -> None:
        super().__init__(upload.rejection)
        self.upload = upload
        """The current state of the upload."""


_BY_STATUS: dict[int, type[APIStatusError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    410: GoneError,
    412: PreconditionFailedError,
    429: RateLimitError,
}


_EXCERPT = 200
_REDIRECT = "The response is a redirect, which is not followed: is base_url right?"


def status_error(response: Response) -> APIStatusError:
    """The error for a response whose status is not 2xx."""
    kind = ServerError if 500 <= response.status < 600 else _BY_STATUS.get(response.status)
    if kind is None:
        from ._generated.errors import ERRORS

        kind = ERRORS.get(_error_object(response).get("code", ""), APIStatusError)
    is_redirect = 300 <= response.status < 400 and "location" in response.headers
    return kind(response, _REDIRECT if is_redirect else None)


def unexpected_response(response: Response) -> APIStatusError:
    """The error for a 2xx response of an unknown form."""
    return APIStatusError(response, "The response has an unknown form: is base_url right?")


def foreign(response: Response) -> str:
    """The reason for a response of another server, such as a proxy: its content type and the beginning of its body."""
    kind = _media_type(response) or "no content type"
    return f"The response is not the API's: {kind}: {_excerpt(response) or 'no body'}"


def _media_type(response: Response) -> str | None:
    return response.headers.get("content-type", "").split(";")[0].strip().lower() or None


def _excerpt(response: Response) -> str:
    text = re.sub(r"[\x00-\x20\x7f]+", " ", response.content.decode("utf-8", "replace")).strip()
    return text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…"


def _error_object(response: Response) -> dict[str, str]:
    body = response.body
    error = body.get("error") if is_object(body) else None
    return {name: value for name, value in error.items() if isinstance(value, str)} if is_object(error) else {}
