"""The client and its request loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from .._generated._async.search import AsyncSearch
from .._webhooks import webhooks
from ..errors import APIConnectionError, APIStatusError, unexpected_response
from ..lazy_property import lazy_property
from ..model import Model
from ..not_given import NOT_GIVEN, NotGiven, given
from ..operation import ItemList, Operation, array_in, object_in
from ..request import Query, Request, build_request, path_segment
from ..settings import Settings, read_settings
from ..tries import Tries, checked
from .transport import AsyncTransport

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from types import TracebackType

    import httpx2
    from typing_extensions import Self

    from .._generated._async.checkouts import AsyncCheckouts
    from .._generated._async.exports import AsyncExports
    from .._generated._async.favorites import AsyncFavorites
    from .._generated._async.genres import AsyncGenres
    from .._generated._async.licenses import AsyncLicenses
    from .._generated._async.orders import AsyncOrders
    from .._generated._async.playlists import AsyncPlaylists
    from .._generated._async.producers import AsyncProducers
    from .._generated._async.quotes import AsyncQuotes
    from .._generated._async.requests import AsyncRequests
    from .._generated._async.sales import AsyncSales
    from .._generated._async.sandboxes import AsyncSandboxes
    from .._generated._async.uploads import AsyncUploads
    from .._generated._async.users import AsyncUsers
    from ..observers import OnRequest, OnResponse
    from ..response import Response
    from .beats import AsyncBeats
    from .feeds import AsyncChanges, AsyncEvents

T = TypeVar("T")
M = TypeVar("M", bound=Model)


class AsyncBeatMarket(AsyncSearch):
    """A client of the Beat Marketplace API. Create one, share it between tasks, and close it at the end.

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
        http_client: httpx2.AsyncClient | None = None,
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
        self._begin(settings, AsyncTransport(ca_file, http_client))
        self._owns_transport = True

    def _begin(self, settings: Settings, transport: AsyncTransport) -> None:
        self._settings = settings
        self._transport = transport
        self._owns_transport = False
        self._client = self
        self.webhooks = webhooks
        """Verifies webhooks."""

    # Each resource is imported when a program first uses it, so that a start imports none.

    @lazy_property
    def beats(self) -> AsyncBeats:
        """The beats on sale, and your own."""
        from .beats import AsyncBeats

        return AsyncBeats(self)

    @lazy_property
    def users(self) -> AsyncUsers:
        """Public profiles, and your own."""
        from .._generated._async.users import AsyncUsers

        return AsyncUsers(self)

    @lazy_property
    def producers(self) -> AsyncProducers:
        """Users who sell beats."""
        from .._generated._async.producers import AsyncProducers

        return AsyncProducers(self)

    @lazy_property
    def genres(self) -> AsyncGenres:
        """The genres of the catalogue."""
        from .._generated._async.genres import AsyncGenres

        return AsyncGenres(self)

    @lazy_property
    def checkouts(self) -> AsyncCheckouts:
        """Payments of one or more licenses, on a page of the service."""
        from .._generated._async.checkouts import AsyncCheckouts

        return AsyncCheckouts(self)

    @lazy_property
    def quotes(self) -> AsyncQuotes:
        """What purchases would cost, with discounts."""
        from .._generated._async.quotes import AsyncQuotes

        return AsyncQuotes(self)

    @lazy_property
    def requests(self) -> AsyncRequests:
        """The request log of the key's account."""
        from .._generated._async.requests import AsyncRequests

        return AsyncRequests(self)

    @lazy_property
    def sandboxes(self) -> AsyncSandboxes:
        """Test services of your own, whose clock you set."""
        from .._generated._async.sandboxes import AsyncSandboxes

        return AsyncSandboxes(self)

    @lazy_property
    def favorites(self) -> AsyncFavorites:
        """The favorite beats of the key's account."""
        from .._generated._async.favorites import AsyncFavorites

        return AsyncFavorites(self)

    @lazy_property
    def playlists(self) -> AsyncPlaylists:
        """Lists of beats: your own, and public ones."""
        from .._generated._async.playlists import AsyncPlaylists

        return AsyncPlaylists(self)

    @lazy_property
    def orders(self) -> AsyncOrders:
        """The purchases of the key's account."""
        from .._generated._async.orders import AsyncOrders

        return AsyncOrders(self)

    @lazy_property
    def licenses(self) -> AsyncLicenses:
        """What a license allows."""
        from .._generated._async.licenses import AsyncLicenses

        return AsyncLicenses(self)

    @lazy_property
    def sales(self) -> AsyncSales:
        """What the key's account sold."""
        from .._generated._async.sales import AsyncSales

        return AsyncSales(self)

    @lazy_property
    def uploads(self) -> AsyncUploads:
        """Files that become beats."""
        from .._generated._async.uploads import AsyncUploads

        return AsyncUploads(self)

    @lazy_property
    def changes(self) -> AsyncChanges:
        """What changes in the catalogue, in the order of commits."""
        from .feeds import AsyncChanges

        return AsyncChanges(self)

    @lazy_property
    def exports(self) -> AsyncExports:
        """All beats in one file."""
        from .._generated._async.exports import AsyncExports

        return AsyncExports(self)

    @lazy_property
    def events(self) -> AsyncEvents:
        """The events that webhooks deliver, for receivers without a public address."""
        from .feeds import AsyncEvents

        return AsyncEvents(self)

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

    async def request(
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
        return await self._send(build_request(self._settings, method, path, query=query, body=body, headers=headers))

    async def close(self) -> None:
        """Closes the connections. The client cannot be used after that."""
        if self._owns_transport:
            await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._settings.base_url}>"

    def _request(self, operation: Operation, *, path: Mapping[str, object] | None = None, **parts: Any) -> Request:
        """The request of an operation; `parts` are the arguments of `build_request`."""
        segments = {name: path_segment(name, value) for name, value in (path or {}).items()}
        return build_request(
            self._settings, operation.method, operation.path.format(**segments), operation=operation, **parts
        )

    async def _object(
        self, operation: Operation, model: type[M], key: str | None, settings: Settings | None = None, **parts: Any
    ) -> M:
        """Calls an operation that responds with an object."""
        request = self._request(operation, **parts)
        waiting = (settings or self._settings).waiting(parts.get("query", {}).get("wait"))
        response = await self._send(request, waiting)
        try:
            return object_in(response, operation, model, key)
        except APIStatusError as error:
            error.idempotency_key = request.idempotency_key
            raise

    async def _array(self, operation: Operation, model: type[M], key: str, **parts: Any) -> ItemList[M]:
        """Calls an operation that responds with a whole list."""
        return array_in(await self._send(self._request(operation, **parts)), model, key)

    async def _nothing(self, operation: Operation, **parts: Any) -> None:
        """Calls an operation that responds without a body."""
        response = await self._send(self._request(operation, has_envelope=False, **parts))
        if response.status != 204:
            raise unexpected_response(response)

    async def _send(self, request: Request, settings: Settings | None = None) -> Response:
        """Sends a request with these settings, or else with those of the client."""
        chosen = settings or self._settings
        tries = Tries(chosen, request)
        while True:
            try:
                return checked(await self._transport.fetch(request, chosen, tries.attempt), request)
            except (APIConnectionError, APIStatusError) as error:
                wait_s = tries.failed(error)
            await self._sleep(wait_s)

    @staticmethod
    async def _work(work: Callable[[], T]) -> T:
        """Runs blocking work in a thread, so that other tasks continue."""
        import anyio.to_thread

        return await anyio.to_thread.run_sync(work)

    @staticmethod
    async def _sleep(seconds: float) -> None:
        import anyio

        await anyio.sleep(seconds)
