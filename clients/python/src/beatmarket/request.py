"""Requests, complete except for the API key."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

from .arguments import is_a
from .errors import BeatMarketError
from .extras import added, header_value
from .settings import Settings, is_confidential
from .wire import is_object

if TYPE_CHECKING:
    from .operation import Operation
    from .response import Response

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Dot segments, # and a backslash: with these, URL parsing would change the path.
_LEADS_OUT = re.compile(r"[#\\]|/(\.|%2e){1,2}(/|\?|$)", re.IGNORECASE)

QueryValue = str | int | float | bool | datetime
Query = Mapping[str, QueryValue | Sequence[QueryValue] | None]


@dataclass(frozen=True)
class Request:
    """One request; all of its attempts send the same."""

    method: str
    url: str
    headers: dict[str, str]
    """Header names are in lower case."""
    content: bytes | None = None
    has_envelope: bool = True
    """False for requests whose response is not JSON."""
    has_key: bool = True
    """False for a link, whose host must not see the API key."""
    operation: str | None = None
    """The id of the operation; None for any other request."""
    extra_query: str = ""
    """The caller's additional fields, which the next pages of a list also have."""

    @property
    def shown_url(self) -> str:
        """The URL for logs. A link is without its query, whose signature is enough to download the file."""
        return self.url if self.has_key else self.url.partition("?")[0]

    @property
    def idempotency_key(self) -> str | None:
        """Present on every POST, PATCH and DELETE."""
        return self.headers.get("idempotency-key")


def build_request(
    settings: Settings,
    method: str,
    path: str,
    *,
    query: Query | None = None,
    body: Any = None,
    content: bytes | None = None,
    headers: Mapping[str, str | None] | None = None,
    has_envelope: bool = True,
    operation: Operation | None = None,
) -> Request:
    """A request below the base URL.

    Args:
        settings: the client's settings.
        method: an HTTP method.
        path: begins with a slash, percent-encoded.
        query: None values are omitted; a list is sent with commas, a datetime in ISO 8601.
        body: a JSON value; None for no body.
        content: a body of bytes, instead of `body`.
        headers: added to the client's, or overriding them; None values are omitted. A POST, PATCH or DELETE
            without Idempotency-Key gets a random one.
        has_envelope: whether a successful response has a body in the API's form.
        operation: the operation, whose id hooks get; None for any other request.

    Raises:
        BeatMarketError: the path is not below the base URL, a header or the body is invalid, or the call sends an extra
            field itself.
    """
    if not is_a(path, str) or not path.startswith("/") or _LEADS_OUT.search(path):
        raise BeatMarketError(
            f"The path must begin with a slash and stay below base_url, without dot segments and #, not {path!r}."
        )
    if not is_a(method, str):
        raise BeatMarketError(f"The method must be a str such as 'GET', not {method!r}.")
    for what, mapping in {"query": query, "headers": headers}.items():
        if mapping is not None and not is_a(mapping, Mapping):
            raise BeatMarketError(f"{what} must be a dict, not {type(mapping).__name__}.")
    sent = {"accept": "application/json", "user-agent": settings.user_agent, **settings.headers}
    if settings.body:
        if not is_object(body):
            raise BeatMarketError(f"This call has no JSON object to add {', '.join(settings.body)} to.")
        body = added("body", body, settings.body)
    if body is not None:
        sent["content-type"] = "application/json"
        content = _encoded(body)
    for name, value in (headers or {}).items():
        if value is not None:
            sent[name.lower()] = _header(name, value)
    if method.upper() in {"POST", "PATCH", "DELETE"}:
        sent.setdefault("idempotency-key", str(uuid.uuid4()))
    url = with_query(settings.base_url + path, _encoded_query(query or {}))
    extra = ""
    if settings.query:
        added("query", dict.fromkeys(_names_in(url)), settings.query)
        extra = _encoded_query(settings.query)
        url = with_query(url, extra)
    operation_id = operation.id if operation else None
    return Request(method.upper(), url, sent, content, has_envelope, operation=operation_id, extra_query=extra)


def _names_in(url: str) -> list[str]:
    return [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]


def with_query(url: str, more: str) -> str:
    """The URL with more parameters, encoded."""
    return url + ("&" if "?" in url else "?") + more if more else url


def link_request(url: object, user_agent: str) -> Request:
    """A request for a link, which goes without the API key.

    Raises:
        BeatMarketError: the link is neither https nor on this machine, so that others could read the response.
    """
    try:
        is_private = isinstance(url, str) and is_confidential(url)
    except ValueError:
        is_private = False
    if not is_private:
        raise BeatMarketError("The link of the file takes an https: address: is PUBLIC_URL of the service right?")
    return Request("GET", str(url), {"accept": "*/*", "user-agent": user_agent}, has_envelope=False, has_key=False)


def redirect_of(response: Response, request: Request) -> Request | None:
    """The request for the target of a redirect; None for other responses, or if the target is invalid or insecure."""
    location = response.headers.get("location")
    if location is None or response.status not in _REDIRECTS:
        return None
    try:
        return link_request(urljoin(request.url, location), request.headers["user-agent"])
    except (BeatMarketError, ValueError):
        return None


def path_segment(name: str, value: object) -> str:
    """An id as a path segment. Raises BeatMarketError for an invalid id, such as None."""
    is_id = isinstance(value, str) or (hasattr(value, "__index__") and not isinstance(value, bool))
    if not is_id or str(value) in ("", ".", ".."):
        raise BeatMarketError(f"{name} must be an id, not {value!r}.")
    return quote(str(value), safe="")


def _encoded_query(query: Query) -> str:
    if not query:
        return ""
    given = {name: _query_text(name, value) for name, value in query.items() if value is not None}
    return urlencode(given, quote_via=quote)


def _query_text(name: str, value: QueryValue | Sequence[QueryValue]) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        # A datetime without a time zone is in the machine's time zone, as everywhere in Python.
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        texts = [_query_text(name, one) for one in value]
        for text in texts:
            if "," in text:
                raise BeatMarketError(f"A value of {name} has a comma, which separates values: {text!r}.")
        return ",".join(texts)
    if is_a(value, (type(None), bytes, Iterator, Mapping, Set)):
        raise BeatMarketError(f"{name} must be a value or a list of values, not {value!r}.")
    return str(value)


def _header(name: str, value: object) -> str:
    text = value if isinstance(value, str) else ""
    # These two are arguments of methods, so the messages name the arguments.
    if name.lower() == "idempotency-key" and not re.fullmatch("[!-~]{1,255}", text):
        raise BeatMarketError("idempotency_key must be 1 to 255 visible ASCII characters.")
    if name.lower() == "if-match" and not re.fullmatch("[!-~]+", text):
        raise BeatMarketError("if_match must be the etag of a response; None changes the beat unconditionally.")
    return header_value(name, value)


def _encoded(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BeatMarketError(f"The body cannot be sent as JSON: {error}.") from error
