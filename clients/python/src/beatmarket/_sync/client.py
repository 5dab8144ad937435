# Generated from _async by npm run contract; edit that.
"""The client and its request loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from .._generated._sync.search import Search
from .._webhooks import webhooks
from ..errors import APIConnectionError, APIStatusError, unexpected_response
from ..lazy_property import lazy_property
from ..model import Model
from ..not_given import NOT_GIVEN, NotGiven, given
from ..operation import ItemList, Operation, array_in, object_in
from ..request import Query, Request, build_request, path_segment
from ..settings import Settings, read_settings
from ..tries import Tries, checked
from .transport import Transport

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from types import TracebackType

    import httpx2
    from typing_extensions import Self

    from .._generated._sync.checkouts import Checkouts
    from .._generated._sync.exports import Exports
    from .._generated._sync.favorites import Favorites
    from .._generated._sync.genres import Genres
    from .._generated._sync.licenses import Licenses
    from .._generated._sync.orders import Orders
    from .._generated._sync.playlists import Playlists
    from .._generated._sync.producers import Producers
    from .._generated._sync.quotes import Quotes
    from .._generated._sync.requests import Requests
    from .._generated._sync.sales import Sales
    from .._generated._sync.sandboxes import Sandboxes
    from .._generated._sync.uploads import Uploads
    from .._generated._sync.users import Users
    from ..observers import OnRequest, OnResponse
    from ..response import Response
    from .beats import Beats
    from .feeds import Changes, Events

T = TypeVar("T")
M = TypeVar("M", bound=Model)


class BeatMarket(Search):
    """A client of the Beat Marketplace API. Create one, share it between threads, and close it at the end.

    Each attempt of a call times out after `timeout` seconds. Calls are retried after connection errors, timeouts, 408,
    423, 429, 460, 500, 502, 503, 504, and 409 with Retry-After. A process that was forked opens its own connections.

    Every call may raise:
        APIConnectionError: no complete response; APITimeoutError if an attempt timed out.
        APIStatusError: an error response, as a subclass for its status.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        max_retry_after: float = 60.0,
        http_client: httpx2.Client | None = None,
        headers: Mapping[str, str] | None = None,
        user_agent_suffix: str | None = None,
        allow_http: bool = False,
        on_request: OnRequest | None = None,
        on_response: OnResponse | None = None,
    ) -> None:
        """Creates a client without sending anything.

        Args:
            api_key: default: BEATMARKET_API_KEY.
            base_url: default: BEATMARKET_BASE_URL, else https://localhost:8443/v1, the address of `npm start`.
            ca_file: PEM file of the certificate authorities to trust; default: BEATMARKET_CA_FILE, else the system's.
            timeout: seconds per attempt, including the body.
            max_retries: attempts after the first.
            max_retry_after: seconds; if the service asks for a longer wait, the call raises immediately.
            http_client: your own client, for client certificates and other transports. It then controls TLS, and you
                close it; a forked process cannot use it.
            headers: sent with each request to the API, in addition to the headers that the client sets itself.
            user_agent_suffix: such as `my-shop/1.2`, sent after the client's own User-Agent.
            allow_http: allows a base_url in plain http on any host, which sends the key unencrypted: for mock servers
                and side-cars. Without it, plain http is allowed for this machine only.
            on_request: called with a RequestInfo when an attempt begins. If a hook raises an error, the call raises it.
            on_response: called with a ResponseInfo when an attempt has ended.

        Raises:
            BeatMarketError: the key is missing, or an argument is invalid.
        """
        settings = read_settings(
            api_key,
            base_url,
            timeout,
            max_retries,
            max_retry_after,
            headers=headers,
            user_agent_suffix=user_agent_suffix,
            allow_http=allow_http,
            on_request=on_request,
            on_response=on_response,
        )
        self._begin(settings, Transport(ca_file, http_client))
        self._owns_transport = True

    def _begin(self, settings: Settings, transport: Transport) -> None:
        self._settings = settings
        self._transport = transport
        self._owns_transport = False
        self._client = self
        self.webhooks = webhooks
        """Verifies webhooks."""

    # Each resource is imported when a program first uses it, so that a start imports none.

    @lazy_property
    def beats(self) -> Beats:
        """The beats on sale, and your own."""
        from .beats import Beats

        return Beats(self)

    @lazy_property
    def users(self) -> Users:
        """Public profiles, and your own."""
        from .._generated._sync.users import Users

        return Users(self)

    @lazy_property
    def producers(self) -> Producers:
        """Users who sell beats."""
        from .._generated._sync.producers import Producers

        return Producers(self)

    @lazy_property
    def genres(self) -> Genres:
        """The genres of the catalogue."""
        from .._generated._sync.genres import Genres

        return Genres(self)

    @lazy_property
    def checkouts(self) -> Checkouts:
        """Payments of one or more licenses, on a page of the service."""
        from .._generated._sync.checkouts import Checkouts

        return Checkouts(self)

    @lazy_property
    def quotes(self) -> Quotes:
        """What purchases would cost, with discounts."""
        from .._generated._sync.quotes import Quotes

        return Quotes(self)

    @lazy_property
    def requests(self) -> Requests:
        """The request log of the key's account."""
        from .._generated._sync.requests import Requests

        return Requests(self)

    @lazy_property
    def sandboxes(self) -> Sandboxes:
        """Test services of your own, whose clock you set."""
        from .._generated._sync.sandboxes import Sandboxes

        return Sandboxes(self)

    @lazy_property
    def favorites(self) -> Favorites:
        """The favorite beats of the key's account."""
        from .._generated._sync.favorites import Favorites

        return Favorites(self)

    @lazy_property
    def playlists(self) -> Playlists:
        """Lists of beats: your own, and public ones."""
        from .._generated._sync.playlists import Playlists

        return Playlists(self)

    @lazy_property
    def orders(self) -> Orders:
        """The purchases of the key's account."""
        from .._generated._sync.orders import Orders

        return Orders(self)

    @lazy_property
    def licenses(self) -> Licenses:
        """What a license allows."""
        from .._generated._sync.licenses import Licenses

        return Licenses(self)

    @lazy_property
    def sales(self) -> Sales:
        """What the key's account sold."""
        from .._generated._sync.sales import Sales

        return Sales(self)

    @lazy_property
    def uploads(self) -> Uploads:
        """Files that become beats."""
        from .._generated._sync.uploads import Uploads

        return Uploads(self)

    @lazy_property
    def changes(self) -> Changes:
        """What changes in the catalogue, in the order of commits."""
        from .feeds import Changes

        return Changes(self)

    @lazy_property
    def exports(self) -> Exports:
        """All beats in one file."""
        from .._generated._sync.exports import Exports

        return Exports(self)

    @lazy_property
    def events(self) -> Events:
        """The events that webhooks deliver, for receivers without a public address."""
        from .feeds import Events

        return Events(self)

    def with_options(
        self,
        *,
        timeout: float | NotGiven = NOT_GIVEN,
        max_retries: int | NotGiven = NOT_GIVEN,
        max_retry_after: float | NotGiven = NOT_GIVEN,
        headers: Mapping[str, str] | None = None,
        query: Query | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Self:
        """A copy of this client with other options, for some calls: `client.with_options(timeout=5).beats.get(1)`.

        It shares the connections, so there is nothing to close.

        Args:
            timeout: seconds per attempt, including the body.
            max_retries: attempts after the first.
            max_retry_after: seconds; if the service asks for a longer wait, the call raises immediately.
            headers: sent in addition to the client's `headers`, or instead of those with the same name.
            query: fields that are added to the query of each call. A call raises if it has a field of that name.
            body: fields that are added to the JSON body of each call. A call without a JSON body raises, too.

        Raises:
            BeatMarketError: an argument is invalid.
        """
        changed = given(timeout=timeout, max_retries=max_retries, max_retry_after=max_retry_after)
        copy = object.__new__(type(self))
        copy._begin(replace(self._settings, **changed).adding(headers, query, body), self._transport)
        return copy

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Response:
        """Sends any request below the base URL, with the same key, retries and errors as the other methods.

        Args:
            method: an HTTP method.
            path: such as `/beats`, percent-encoded.
            query: None values are omitted.
            headers: added to the client's, or overriding them. A POST, PATCH or DELETE without
                Idempotency-Key gets a random one.
            body: a JSON value; None for no body.
        """
        return self._send(build_request(self._settings, method, path, query=query, body=body, headers=headers))

    def close(self) -> None:
        """Closes the connections. The client cannot be used after that."""
        if self._owns_transport:
            self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._settings.base_url}>"

    def _request(self, operation: Operation, *, path: Mapping[str, object] | None = None, **parts: Any) -> Request:
        """The request of an operation; `parts` are the arguments of `build_request`."""
        segments = {name: path_segment(name, value) for name, value in (path or {}).items()}
        return build_request(
            self._settings, operation.method, operation.path.format(**segments), operation=operation, **parts
        )

    def _object(
        self, operation: Operation, model: type[M], key: str | None, settings: Settings | None = None, **parts: Any
    ) -> M:
        """Calls an operation that responds with an object."""
        request = self._request(operation, **parts)
        waiting = (settings or self._settings).waiting(parts.get("query", {}).get("wait"))
        response = self._send(request, waiting)
        try:
            return object_in(response, operation, model, key)
        except APIStatusError as error:
            error.idempotency_key = request.idempotency_key
            raise

    def _array(self, operation: Operation, model: type[M], key: str, **parts: Any) -> ItemList[M]:
        """Calls an operation that responds with a whole list."""
        return array_in(self._send(self._request(operation, **parts)), model, key)

    def _nothing(self, operation: Operation, **parts: Any) -> None:
        """Calls an operation that responds without a body."""
        response = self._send(self._request(operation, has_envelope=False, **parts))
        if response.status != 204:
            raise unexpected_response(response)

    def _send(self, request: Request, settings: Settings | None = None) -> Response:
        """Sends a request with these settings, or else with those of the client."""
        chosen = settings or self._settings
        tries = Tries(chosen, request)
        while True:
            try:
                return checked(self._transport.fetch(request, chosen, tries.attempt), request)
            except (APIConnectionError, APIStatusError) as error:
                wait_s = tries.failed(error)
            self._sleep(wait_s)

    @staticmethod
    def _work(work: Callable[[], T]) -> T:
        """Runs blocking work."""
        return work()

    @staticmethod
    def _sleep(seconds: float) -> None:
        import time

        time.sleep(seconds)
