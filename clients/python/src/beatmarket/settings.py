"""How a client reaches the service: key, addresses and limits, read from arguments and the environment."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
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
    """Text that neither prints nor pickles."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("An API key is not pickled: make a new client where it is needed.")


@dataclass(frozen=True)
class Settings:
    """What stays the same for all calls of a client."""

    api_key: Secret
    base_url: str
    """Without a slash at its end."""
    timeout: float
    """Seconds for each try."""
    max_retries: int
    """Tries after the first one."""
    max_retry_after: float
    """Seconds; a Retry-After beyond it is not waited for."""

    def __post_init__(self) -> None:
        if not self.timeout > 0:
            raise BeatMarketError(f"timeout must be more than 0 seconds, not {self.timeout!r}.")
        if self.max_retries < 0 or self.max_retry_after < 0:
            raise BeatMarketError("max_retries and max_retry_after must be 0 or more.")

    @property
    def origin(self) -> Origin:
        """Where the key may be sent."""
        return origin_of(self.base_url)


def read_settings(
    api_key: str | None, base_url: str | None, timeout: float, max_retries: int, max_retry_after: float
) -> Settings:
    """The settings; what is None comes from BEATMARKET_API_KEY and BEATMARKET_BASE_URL."""
    key = (api_key if api_key is not None else os.environ.get("BEATMARKET_API_KEY", "")).strip()
    if not key:
        raise BeatMarketError("There is no API key: pass api_key, or set BEATMARKET_API_KEY.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BeatMarketError("The API key has characters that no key has: was something else pasted?")
    address = base_url or os.environ.get("BEATMARKET_BASE_URL") or DEFAULT_BASE_URL
    return Settings(Secret(key), _checked(address), timeout, max_retries, max_retry_after)


def tls_context(ca_file: str | os.PathLike[str] | None) -> ssl.SSLContext | None:
    """A context that trusts that file (PEM) alone; None, for the system's authorities, where none is named."""
    file = ca_file or os.environ.get("BEATMARKET_CA_FILE")
    if not file:
        return None
    import ssl

    try:
        return ssl.create_default_context(cafile=file)
    except OSError as error:
        raise BeatMarketError(f"The CA file {os.fspath(file)!r} cannot be read: {error}.") from error


def origin_of(url: str) -> Origin:
    """Scheme, host and port. Raises ValueError where the url has none."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
        raise ValueError(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def _checked(base_url: str) -> str:
    try:
        scheme, host, _ = origin_of(base_url)
        parts = urlsplit(base_url)
    except ValueError:
        raise BeatMarketError(f"base_url must be like {DEFAULT_BASE_URL}, without user name and password.") from None
    if scheme != "https" and host not in _LOOPBACK:
        raise BeatMarketError("base_url must begin with https://, because the key would be readable on its way.")
    if parts.query or parts.fragment:
        raise BeatMarketError("base_url must have neither a query nor a fragment.")
    return base_url.rstrip("/")
