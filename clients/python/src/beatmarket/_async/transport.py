"""The connections of a client."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..errors import BeatMarketError
from ..event_loop import check_loop  # async only
from ..observers import Attempt
from ..response import Response
from ..settings import tls_context
from ..tries import Deadline, SecondsLeft, failure_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    import httpx2

    from ..request import Request
    from ..settings import Settings

_IDLE_S = 60
"""An unused connection stays open for this time, which is shorter than the service's own keep-alive time."""


class AsyncResponseStream:
    """The status and headers of a response whose body is still to come."""

    def __init__(self, http_response: httpx2.Response, deadline: Deadline) -> None:
        self.status = http_response.status_code
        self.headers = http_response.headers
        self.response: Response | None = None
        """The response with its body; None until `whole` has read the body."""
        self._http_response = http_response
        self._deadline = deadline

    async def chunks(self, timeout: float | None = None) -> AsyncIterator[bytes]:
        """Yields the body in chunks. The timeout, `timeout` or else the request's, starts again with each chunk."""
        if timeout is not None:
            self._deadline.restart(timeout)
            self._deadline.check()
        async for chunk in self._http_response.aiter_bytes():
            yield chunk
            self._deadline.restart()
            self._deadline.check()

    async def whole(self) -> Response:
        """Reads the whole body. One timeout covers the headers and the body."""
        content = bytearray()
        async for chunk in self._http_response.aiter_bytes():
            content += chunk
            self._deadline.check()
        self.response = Response(self.status, self.headers, bytes(content))
        return self.response


class AsyncTransport:
    """The connections of a client and of its copies with other options. Every process has its own."""

    def __init__(self, ca_file: str | os.PathLike[str] | None, http_client: httpx2.AsyncClient | None) -> None:
        if http_client is not None and ca_file is not None:
            raise BeatMarketError("Pass either ca_file or http_client, which has its own TLS settings.")
        self._is_given = http_client is not None
        self._is_closed = False
        self._tls = None if self._is_given else tls_context(ca_file)
        self._loops: dict[int, object] = {}  # async only
        # One client for each process id: after a fork, two processes with one connection would read each other's
        # responses. The parent's client stays here, since closing it would end the parent's connections.
        self._clients = {} if http_client is None else {os.getpid(): http_client}

    @asynccontextmanager
    async def open(
        self, request: Request, settings: Settings, headers: Mapping[str, str] | None, attempt: int
    ) -> AsyncGenerator[AsyncResponseStream, None]:
        """Sends one attempt. Raises APIConnectionError, also if an error occurs while the body is read."""
        deadline = Deadline(settings.timeout)

        sent = {**request.headers, **(headers or {})}
        if request.has_key:
            sent["authorization"] = f"Bearer {settings.api_key.reveal()}"
        http = self._http()
        observed = Attempt(settings.observers, request, sent, attempt)
        answer: AsyncResponseStream | None = None
        error: BaseException | None = None
        try:
            http_request = http.build_request(
                request.method,
                request.url,
                content=request.content,
                headers=sent,
                extensions={"timeout": SecondsLeft(deadline)},
            )
            http_response = await http.send(http_request, stream=True, auth=None, follow_redirects=False)
            try:
                deadline.check()
                answer = AsyncResponseStream(http_response, deadline)
                yield answer
            finally:
                await http_response.aclose()
        except GeneratorExit:
            raise  # The caller stopped reading the body.
        except BaseException as cause:
            failure = failure_of(cause, deadline.timeout)
            error = failure or cause
            if failure is None:
                raise
            raise failure from cause
        finally:
            if answer is None:
                observed.ended(None, {}, None, error)
            else:
                observed.ended(answer.status, answer.headers, answer.response, error)

    async def fetch(self, request: Request, settings: Settings, attempt: int) -> Response:
        """Sends one attempt, and reads the whole response."""
        async with self.open(request, settings, None, attempt) as answer:
            return await answer.whole()

    async def close(self) -> None:
        """Closes the connections of this process, unless the caller passed the HTTP client."""
        self._is_closed = True
        http = self._clients.get(os.getpid())
        if http is not None and not self._is_given:
            await http.aclose()

    def _http(self) -> httpx2.AsyncClient:
        """The HTTP client of this process. httpx2 is imported here, since that takes longer than all other imports."""
        if self._is_closed:
            raise BeatMarketError("The client is closed; make a new one.")
        http = self._clients.get(os.getpid())
        if http is None or not self._is_given:  # async only
            check_loop(self._loops)  # async only
        if http is not None:
            return http
        if self._is_given:
            raise BeatMarketError(
                "This process was forked, and your http_client belongs to its parent: make a client of its own here."
            )
        import httpx2

        try:
            limits = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=_IDLE_S)
            # setdefault is atomic, so two threads get the same client.
            return self._clients.setdefault(os.getpid(), httpx2.AsyncClient(verify=self._tls or True, limits=limits))
        except (httpx2.InvalidURL, ValueError) as error:
            raise BeatMarketError(f"HTTPS_PROXY or ALL_PROXY has no valid address of a proxy: {error}.") from error
