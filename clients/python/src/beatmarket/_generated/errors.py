# Generated from contract/openapi.json by npm run contract; do not edit.
"""The error of each code of the API."""

from __future__ import annotations

from ..errors import (
    APIStatusError,
    AuthenticationError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
)

ERRORS: dict[str, type[APIStatusError]] = {
    "invalid_request": InvalidRequestError,
    "unauthorized": AuthenticationError,
    "forbidden": PermissionDeniedError,
    "not_found": NotFoundError,
    "rate_limit_exceeded": RateLimitError,
    "server_error": ServerError,
}
"""The error class of each code, for statuses without a class."""
