"""The settings of a client, read from arguments and the environment."""

from __future__ import annotations

import math
import os
import platform
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from ._version import __version__
from .errors import BeatMarketError

if TYPE_CHECKING:
    import ssl

DEFAULT_BASE_URL = "https://localhost:8443/v1"
USER_AGENT = f"beatmarket-python/{__version__} python/{platform.python_version()}"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS = {"https": 443, "http": 80}

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

    def __post_init__(self) -> None:
        if not self.timeout > 0:
            raise BeatMarketError(f"timeout must be more than 0 seconds, not {self.timeout!r}.")
        if self.max_retries < 0 or self.max_retry_after < 0:
            raise BeatMarketError("max_retries and max_retry_after must be 0 or more.")

    def waiting(self, seconds: object) -> Settings:
        """For a call that the service may hold for so long before it responds."""
        return replace(self, timeout=self.timeout + (seconds if isinstance(seconds, (int, float)) else 0))

    def following(self, is_first: bool) -> Settings:
        """For a page of a stream: waits as long as the service asks; after the first page, retries without end."""
        retries = self.max_retries if is_first else sys.maxsize
        return replace(self, max_retries=retries, max_retry_after=math.inf)

    @property
    def origin(self) -> Origin:
        """The only origin that receives the key."""
        return origin_of(self.base_url)


def read_settings(
    api_key: str | None, base_url: str | None, timeout: float, max_retries: int, max_retry_after: float
) -> Settings:
    """Creates the settings; BEATMARKET_API_KEY and BEATMARKET_BASE_URL replace None."""
    key = (api_key if api_key is not None else os.environ.get("BEATMARKET_API_KEY", "")).strip()
    if not key:
        raise BeatMarketError("There is no API key: pass api_key, or set BEATMARKET_API_KEY.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BeatMarketError("The API key has characters that no key has: was something else pasted?")
    address = base_url or os.environ.get("BEATMARKET_BASE_URL") or DEFAULT_BASE_URL
    return Settings(Secret(key), _checked(address), timeout, max_retries, max_retry_after)


def tls_context(ca_file: str | os.PathLike[str] | None) -> ssl.SSLContext | None:
    """A TLS context that trusts only this PEM file; None without a file, for the system's authorities."""
    file = ca_file or os.environ.get("BEATMARKET_CA_FILE")
    if not file:
        return None
    import ssl

    try:
        return ssl.create_default_context(cafile=file)
    except OSError as error:
        raise BeatMarketError(f"The CA file {os.fspath(file)!r} cannot be read: {error}.") from error


def origin_of(url: str) -> Origin:
    """Scheme, host and port. Raises ValueError if the URL has none."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
        raise ValueError(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def is_confidential(origin: Origin) -> bool:
    """Whether nobody on the way reads what is sent there: it is https, or this machine."""
    scheme, host, _ = origin
    return scheme == "https" or host in _LOOPBACK


def _checked(base_url: str) -> str:
    try:
        origin = origin_of(base_url)
        parts = urlsplit(base_url)
    except ValueError:
        raise BeatMarketError(f"base_url must be like {DEFAULT_BASE_URL}, without user name and password.") from None
    if not is_confidential(origin):
        raise BeatMarketError("base_url must begin with https://, because the key would be readable on its way.")
    if parts.query or parts.fragment:
        raise BeatMarketError("base_url must have neither a query nor a fragment.")
    return base_url.rstrip("/")
