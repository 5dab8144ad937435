"""The client and its request loop."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

from .._webhooks import webhooks
from ..errors import APIConnectionError, APITimeoutError, BeatMarketError, status_error
from ..listings import AsyncBeatListing, AsyncListing, AsyncSearchListing
from ..models import Beat, FacetName, LicenseType, SearchSort, SearchType
from ..operations import SEARCH, Operation
from ..pages import BeatPage, ChangePage, EventPage, Page
from ..request import Query, Request, build_request, path_segment, redirect_of
from ..response import Response
from ..settings import Settings, read_settings, tls_context
from ..tries import Deadline, Tries, log, timed_out
from .beats import AsyncBeats
from .orders import AsyncOrders
from .resources import AsyncGenres, AsyncProducers, AsyncUsers
from .sales import AsyncSales
from .streams import AsyncChanges, AsyncEvents, AsyncExports
from .uploads import AsyncUploads

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from datetime import datetime
    from types import TracebackType

    import httpx2
    from typing_extensions import Self

    from ..tries import Download

_MOST_REDIRECTS = 5

T = TypeVar("T")
B = TypeVar("B", bound=Beat)
S = TypeVar("S", ChangePage, EventPage)


class AsyncBeatMarket:
    """A client of the Beat Marketplace API. Create one, share it between tasks, and close it at the end.

    Each attempt of a call times out after `timeout` seconds. Calls are retried after connection errors, timeouts, 408,
    423, 429, 460, 500, 502, 503, 504, and 409 with Retry-After.

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
    ) -> None:
        """Creates a client without sending anything.

        Args:
            api_key: default: BEATMARKET_API_KEY.
            base_url: default: BEATMARKET_BASE_URL, else https://localhost:8443/v1, the address of `npm start`.
            ca_file: PEM file of the certificate authorities to trust; default: BEATMARKET_CA_FILE, else the system's.
            timeout: seconds per attempt, including the body.
            max_retries: attempts after the first.
            max_retry_after: seconds; if the service asks for a longer wait, the call raises immediately.
            http_client: your own client, for proxies or client certificates. It then controls TLS, and you close
                it.

        Raises:
            BeatMarketError: the key is missing, or an argument is invalid.
        """
        self._settings = read_settings(api_key, base_url, timeout, max_retries, max_retry_after)
        if http_client is not None and ca_file is not None:
            raise BeatMarketError("Pass either ca_file or http_client, which has its own TLS settings.")
        self._owns_http = http_client is None
        self._http = http_client or _new_http_client(ca_file)
        self.beats = AsyncBeats(self)
        """Beats on sale, and your own."""
        self.users = AsyncUsers(self)
        """Public profiles and your own."""
        self.producers = AsyncProducers(self)
        """Users who sell beats."""
        self.genres = AsyncGenres(self)
        """The genres of the catalogue."""
        self.orders = AsyncOrders(self)
        """Orders of your account."""
        self.sales = AsyncSales(self)
        """What your account sold."""
        self.uploads = AsyncUploads(self)
        """The files that beats are made of."""
        self.changes = AsyncChanges(self)
        """The changes of the catalogue."""
        self.exports = AsyncExports(self)
        """Exports of the catalogue."""
        self.events = AsyncEvents(self)
        """The events of your account."""
        self.webhooks = webhooks
        """Verifies webhooks."""

    def search(
        self,
        q: str,
        *,
        type: SearchType | None = None,
        page: int | None = None,
        limit: int | None = None,
        genre: int | Sequence[int] | None = None,
        producer: int | Sequence[int] | None = None,
        bpm_min: int | None = None,
        bpm_max: int | None = None,
        bpm: int | None = None,
        bpm_tolerance: float | None = None,
        half_double: bool | None = None,
        key: str | Sequence[str] | None = None,
        key_compatible: str | None = None,
        price_min: float | None = None,
        price_max: float | None = None,
        duration_min: int | None = None,
        duration_max: int | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        tag: str | Sequence[str] | None = None,
        license: LicenseType | Sequence[LicenseType] | None = None,
        sort: SearchSort | None = None,
        facets: FacetName | Sequence[FacetName] | None = None,
        fields: str | Sequence[str] | None = None,
        interpret: bool | None = None,
        max_items: int | None = None,
    ) -> AsyncSearchListing:
        """Searches beats and producers.

        Args:
            q: words of titles, producers, genres and tags, tempos and keys; the last word may be a prefix.
            type: beats, producers or all (default).
            page: the first page, from 1.
            limit: results per page of each type, 1 to 50; 20 by default.
            genre: only beats of these genre ids.
            producer: only beats of these producer ids.
            bpm_min: only beats of this tempo or faster.
            bpm_max: only beats of this tempo or slower.
            bpm: only beats of this tempo, instead of `bpm_min` and `bpm_max`.
            bpm_tolerance: percent by which a beat may differ from `bpm`.
            half_double: whether beats of half and of double the `bpm` match as well.
            key: only beats in these keys: `A minor`, `Am` or `8A`.
            key_compatible: only beats that mix with this key.
            price_min: only beats of this price or more.
            price_max: only beats of this price or less.
            duration_min: only beats of this many seconds or more.
            duration_max: only beats of this many seconds or less.
            created_after: only beats of this time or later.
            created_before: only beats of this time or earlier.
            tag: only beats with one of these tags.
            license: only beats of which one of these licenses is available.
            sort: order of the beats: relevance (default), or one of a list of beats.
            facets: what to count all found beats by: genre, key, bpm, price, tag.
            fields: the fields that results are reduced to; reading another one raises AttributeError.
            interpret: whether tempos and keys in `q` become filters; True by default.
            max_items: maximum number of items in a loop; all by default.
        """
        query: Query = {
            "q": q,
            "type": type,
            "page": page,
            "limit": limit,
            "genre": genre,
            "producer": producer,
            "bpm_min": bpm_min,
            "bpm_max": bpm_max,
            "bpm": bpm,
            "bpm_tolerance": bpm_tolerance,
            "half_double": half_double,
            "key": key,
            "key_compatible": key_compatible,
            "price_min": price_min,
            "price_max": price_max,
            "duration_min": duration_min,
            "duration_max": duration_max,
            "created_after": created_after,
            "created_before": created_before,
            "tag": tag,
            "license": license,
            "sort": sort,
            "facets": facets,
            "fields": fields,
            "interpret": interpret,
        }
        request = build_request(self._settings, SEARCH.method, SEARCH.path, query=query)
        return AsyncSearchListing(self._send, request, SEARCH.parse, max_items)

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
            headers: added to the client's, or overriding them. A POST without Idempotency-Key gets a random
                one.
            body: a JSON value; None for no body.
        """
        return await self._send(build_request(self._settings, method, path, query=query, body=body, headers=headers))

    async def close(self) -> None:
        """Closes the connections. The client cannot be used after that."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._settings.base_url}>"

    async def _call(
        self,
        operation: Operation[T],
        *,
        ids: Mapping[str, int | str] | None = None,
        query: Query | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        settings: Settings | None = None,
    ) -> T:
        path = operation.path.format(**{name: path_segment(name, value) for name, value in (ids or {}).items()})
        return operation.parse(
            await self._send(
                build_request(
                    self._settings,
                    operation.method,
                    path,
                    query=query,
                    body=body,
                    headers=headers,
                    has_envelope=operation.has_envelope,
                ),
                settings,
            )
        )

    def _list(self, operation: Operation[Page[T]], query: Query, max_items: int | None) -> AsyncListing[T]:
        request = build_request(self._settings, operation.method, operation.path, query=query)
        return AsyncListing(self._send, request, operation.parse, max_items)

    def _list_beats(
        self, operation: Operation[BeatPage[B]], query: Query, max_items: int | None
    ) -> AsyncBeatListing[B]:
        request = build_request(self._settings, operation.method, operation.path, query=query)
        return AsyncBeatListing(self._send, request, operation.parse, max_items)

    async def _page(self, operation: Operation[S], query: Query) -> S:
        """A page of a stream."""
        settings = self._settings.waiting(query.get("wait"))
        return await self._call(operation, query=query, settings=settings)

    async def _follow(self, operation: Operation[S], query: Query) -> AsyncIterator[S]:
        """The pages of a stream without end. The first one fails as any call does, so that a wrong address is seen."""
        settings = self._settings.waiting(query.get("wait"))
        is_first = True
        while True:
            page = await self._call(operation, query=query, settings=settings.following(is_first))
            yield page
            query, is_first = {**query, "after": page.next}, False

    async def _send(
        self, request: Request, settings: Settings | None = None, download: Download | None = None
    ) -> Response:
        """Sends a request with the settings of the client, or with its own. A download takes the body."""
        its = settings or self._settings
        tries = Tries(its, request, download)
        while True:
            outcome = tries.judge(await self._try(request, its.timeout, download))
            if isinstance(outcome, Response):
                return outcome
            await self._sleep(outcome)

    async def _fetch(self, request: Request, download: Download) -> None:
        """Downloads by a link, in one attempt. Where it redirects to gets the API key as little as the link itself."""
        for redirects_left in range(_MOST_REDIRECTS, -1, -1):
            outcome = await self._try(request, self._settings.timeout, download)
            if isinstance(outcome, APIConnectionError):
                raise outcome
            if outcome.status in (200, 206):
                return
            target = redirect_of(outcome, request) if redirects_left else None
            if target is None:
                raise status_error(outcome)
            request = target

    @staticmethod
    async def _work(work: Callable[[], T]) -> T:
        """Does in a thread what would hold up other tasks."""
        import anyio.to_thread

        return await anyio.to_thread.run_sync(work)

    @staticmethod
    async def _sleep(seconds: float) -> None:
        import anyio

        await anyio.sleep(seconds)

    async def _try(self, request: Request, timeout: float, download: Download | None) -> Response | APIConnectionError:
        """Sends one attempt. Returns a connection error instead of raising it, so that Tries can decide on a retry."""
        import httpx2

        began = time.monotonic()
        deadline = Deadline(timeout)

        async def observe(event: str, _info: object) -> None:
            deadline.observe(event)

        try:
            async with self._http.stream(
                request.method,
                request.url,
                content=request.content,
                headers={
                    **request.headers,
                    **(download.headers() if download else {}),
                    **({"authorization": f"Bearer {self._settings.api_key.reveal()}"} if request.has_key else {}),
                },
                auth=None,
                follow_redirects=False,
                extensions={"timeout": deadline.seconds_left, "trace": observe},
            ) as http_response:
                deadline.check()
                content = bytearray()
                sink = (
                    download if download and download.begin(http_response.status_code, http_response.headers) else None
                )
                async for chunk in http_response.aiter_bytes():
                    if sink is None:
                        content += chunk
                    else:
                        sink.write(chunk)
                        deadline.restart()
                    deadline.check()
        except APITimeoutError as error:
            return error
        except httpx2.TimeoutException as cause:
            return _because(cause, timed_out(timeout))
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, UnicodeError) as cause:
            raise BeatMarketError(f"This request cannot be sent: {cause}") from cause
        except httpx2.RequestError as cause:
            return _because(cause, APIConnectionError(f"No complete response: {cause}"))
        response = Response(http_response.status_code, http_response.headers, bytes(content))
        log.debug(
            "%s %s: %d in %.0f ms, request id %s",
            request.method,
            request.shown_url,
            response.status,
            (time.monotonic() - began) * 1000,
            response.request_id,
        )
        return response


def _new_http_client(ca_file: str | os.PathLike[str] | None) -> httpx2.AsyncClient:
    """Imports httpx2 on first use: it takes longer to import than everything else together."""
    context = tls_context(ca_file)
    import httpx2

    return httpx2.AsyncClient(verify=True if context is None else context)


def _because(cause: Exception, error: APIConnectionError) -> APIConnectionError:
    error.__cause__ = cause
    return error
