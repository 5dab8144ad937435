"""The settings of a client, read from arguments and the environment."""

from __future__ import annotations

import math
import os
import platform
import re
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from ._version import __version__
from .arguments import is_a
from .errors import BeatMarketError
from .extras import checked_fields, checked_headers, checked_suffix
from .observers import Observers, OnRequest, OnResponse

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

DEFAULT_BASE_URL = "https://localhost:8443/v1"
USER_AGENT = f"beatmarket-python/{__version__} python/{platform.python_version()}"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS = {"https": 443, "http": 80}
_PATIENT_RETRIES = 5
"""With this number of retries, a transfer survives a restart of the service and a change of network."""
_SPACE = " \t\n\v\f\r"
"""Removed around a key or an address, such as the line break of the file that it was read from."""

Origin = tuple[str, str, int]


class Secret:
    """A string that cannot be printed or pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The secret string."""
        return self._text

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("An API key is not pickled: make a new client where it is needed.")


@dataclass(frozen=True)
class Settings:
    """The settings that all calls of a client share."""

    api_key: Secret
    base_url: str
    """Without a trailing slash."""
    timeout: float
    """Seconds per attempt."""
    max_retries: int
    """Attempts after the first."""
    max_retry_after: float
    """Seconds; with a longer Retry-After the call fails immediately."""
    user_agent: str = USER_AGENT
    observers: Observers = field(default_factory=Observers)
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with each request to the API."""
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Sent with each request to the API."""
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Sent in each JSON body."""

    def __post_init__(self) -> None:
        check_seconds("timeout", self.timeout)
        check_count("max_retries", self.max_retries)
        if self.max_retry_after not in (0, math.inf):
            check_seconds("max_retry_after", self.max_retry_after)

    def adding(self, headers: object, query: object, body: object) -> Settings:
        """The settings with more headers, and more fields of the query and of the body."""
        return replace(
            self,
            headers={**self.headers, **checked_headers(headers)},
            query={**self.query, **checked_fields("query", query)},
            body={**self.body, **checked_fields("body", body)},
        )

    def waiting(self, seconds: object) -> Settings:
        """The settings of a call whose response the service may delay for this long."""
        return replace(self, timeout=self.timeout + seconds) if isinstance(seconds, (int, float)) else self

    def retrying_forever(self) -> Settings:
        """The settings of a feed's later pages: waits as long as the service asks, and retries without limit."""
        return replace(self, max_retries=sys.maxsize, max_retry_after=math.inf)

    def once(self) -> Settings:
        """The settings of one attempt of a transfer. It has no retries, because the transfer as a whole is retried."""
        return replace(self, max_retries=0)

    def patient(self) -> Settings:
        """The settings of a transfer as a whole."""
        return replace(self, max_retries=self.max_retries and max(self.max_retries, _PATIENT_RETRIES))


def read_settings(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    max_retry_after: float,
    *,
    headers: Mapping[str, str] | None,
    user_agent_suffix: str | None,
    allow_http: bool,
    on_request: OnRequest | None,
    on_response: OnResponse | None,
) -> Settings:
    """Creates the settings; BEATMARKET_API_KEY and BEATMARKET_BASE_URL replace None."""
    for name, text in {"api_key": api_key, "base_url": base_url}.items():
        if text is not None and not is_a(text, str):
            raise BeatMarketError(f"{name} must be a str, not {type(text).__name__}.")
    key = (api_key if api_key is not None else os.environ.get("BEATMARKET_API_KEY", "")).strip(_SPACE)
    if not key:
        raise BeatMarketError("There is no API key: pass api_key, or set BEATMARKET_API_KEY.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BeatMarketError("The API key has a space, a line break or another character that no key has.")
    address = (base_url or os.environ.get("BEATMARKET_BASE_URL") or DEFAULT_BASE_URL).strip(_SPACE)
    # urlsplit removes line breaks and tabs anywhere in a URL.
    if not re.fullmatch("[!-~]+", address):
        raise BeatMarketError(f"base_url must be like {DEFAULT_BASE_URL}, without spaces and line breaks.")
    if not is_a(allow_http, bool):
        raise BeatMarketError(f"allow_http must be True or False, not {allow_http!r}.")
    return Settings(
        Secret(key),
        _checked(address, allow_http),
        timeout,
        max_retries,
        max_retry_after,
        USER_AGENT + checked_suffix(user_agent_suffix),
        Observers(on_request, on_response),
        checked_headers(headers),
    )


def check_seconds(name: str, value: object) -> None:
    """Raises BeatMarketError if the argument of this name is not a number of seconds above 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise BeatMarketError(f"{name} must be a number of seconds, more than 0, not {value!r}.")


def check_count(name: str, value: object, least: int = 0) -> None:
    """Raises BeatMarketError if the argument of this name is not an integer from `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BeatMarketError(f"{name} must be an integer from {least}, not {value!r}.")


def tls_context(ca_file: str | os.PathLike[str] | None) -> ssl.SSLContext | None:
    """A TLS context that trusts only this PEM file; None without a file, for the system's authorities."""
    file = ca_file or os.environ.get("BEATMARKET_CA_FILE")
    if not file:
        return None
    import ssl

    try:
        return ssl.create_default_context(cafile=file)
    except (OSError, TypeError) as error:
        raise BeatMarketError(f"The CA file {str(file)!r} cannot be read: {error}.") from error


def origin_of(url: str) -> Origin:
    """Scheme, host and port. Raises ValueError if the URL has none."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
        raise ValueError(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def is_confidential(url: str) -> bool:
    """Whether nobody on the network can read a request to this URL: it is https, or this machine.

    Raises ValueError as `origin_of` does.
    """
    scheme, host, _ = origin_of(url)
    return scheme == "https" or host in _LOOPBACK


def _checked(base_url: str, allow_http: bool) -> str:
    try:
        is_private, parts = is_confidential(base_url), urlsplit(base_url)
    except ValueError:
        raise BeatMarketError(f"base_url must be like {DEFAULT_BASE_URL}, without user name and password.") from None
    if not is_private and not allow_http:
        raise BeatMarketError(
            "base_url must begin with https://, because the key would be readable on its way. Where that is fine, "
            "as for a mock server or a side-car, pass allow_http=True."
        )
    if parts.query or parts.fragment:
        raise BeatMarketError("base_url must have neither a query nor a fragment.")
    return base_url.rstrip("/")
