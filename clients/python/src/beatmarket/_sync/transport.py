# Generated from _async by npm run contract; edit that.
"""The connections of a client."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import BeatMarketError
from ..response import Response
from ..settings import tls_context
from ..tries import Deadline, failure_of, log

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    import httpx2

    from ..request import Request
    from ..settings import Settings


class ResponseStream:
    """The status and headers of a response whose body is still to come."""

    def __init__(self, http_response: httpx2.Response, deadline: Deadline) -> None:
        self.status = http_response.status_code
        self.headers = http_response.headers
        self._http_response = http_response
        self._deadline = deadline

    def chunks(self) -> Iterator[bytes]:
        """The body, of which each chunk has the whole timeout."""
        for chunk in self._http_response.iter_bytes():
            yield chunk
            self._deadline.restart()
            self._deadline.check()

    def whole(self) -> Response:
        """The response with its body, which together have the timeout."""
        content = bytearray()
        for chunk in self._http_response.iter_bytes():
            content += chunk
            self._deadline.check()
        return Response(self.status, self.headers, bytes(content))


class Transport:
    """The connections of a client and of its copies with other options. Every process has its own."""

    def __init__(self, ca_file: str | os.PathLike[str] | None, http_client: httpx2.Client | None) -> None:
        if http_client is not None and ca_file is not None:
            raise BeatMarketError("Pass either ca_file or http_client, which has its own TLS settings.")
        self._is_given = http_client is not None
        self._is_closed = False
        self._tls = None if self._is_given else tls_context(ca_file)
        # By process: two that share a connection after a fork would read each other's responses. What was inherited
        # stays here, since closing it would end the parent's connections.
        self._clients = {} if http_client is None else {os.getpid(): http_client}

    @contextmanager
    def open(
        self, request: Request, settings: Settings, headers: Mapping[str, str] | None = None
    ) -> Generator[ResponseStream, None, None]:
        """Sends one attempt. Raises APIConnectionError also for what goes wrong while the body is read."""
        deadline = Deadline(settings.timeout)

        def observe(event: str, _info: object) -> None:
            deadline.observe(event)

        sent = {**request.headers, **(headers or {})}
        if request.has_key:
            sent["authorization"] = f"Bearer {settings.api_key.reveal()}"
        http = self._http()
        try:
            http_request = http.build_request(
                request.method,
                request.url,
                content=request.content,
                headers=sent,
                extensions={"timeout": deadline.seconds_left, "trace": observe},
            )
            http_response = http.send(http_request, stream=True, auth=None, follow_redirects=False)
            try:
                deadline.check()
                yield ResponseStream(http_response, deadline)
            finally:
                http_response.close()
        except Exception as cause:
            error = failure_of(cause, settings.timeout)
            if error is None:
                raise
            raise error from cause

    def fetch(self, request: Request, settings: Settings) -> Response:
        """Sends one attempt, and reads the whole response."""
        began = time.monotonic()
        with self.open(request, settings) as answer:
            response = answer.whole()
        log.debug(
            "%s %s: %d in %.0f ms, request id %s",
            request.method,
            request.shown_url,
            response.status,
            (time.monotonic() - began) * 1000,
            response.request_id,
        )
        return response

    def close(self) -> None:
        """Closes the connections of this process, unless they are the caller's."""
        self._is_closed = True
        http = self._clients.get(os.getpid())
        if http is not None and not self._is_given:
            http.close()

    def _http(self) -> httpx2.Client:
        """Imports httpx2 on first use: it takes longer to import than everything else together."""
        if self._is_closed:
            raise BeatMarketError("The client is closed; make a new one.")
        http = self._clients.get(os.getpid())
        if http is not None:
            return http
        if self._is_given:
            raise BeatMarketError(
                "This process was forked, and your http_client belongs to its parent: make a client of its own here."
            )
        import httpx2

        try:
            # Atomic: of two threads, both take the same.
            return self._clients.setdefault(os.getpid(), httpx2.Client(verify=self._tls or True))
        except (httpx2.InvalidURL, ValueError) as error:
            raise BeatMarketError(f"The proxy in HTTPS_PROXY or ALL_PROXY is no address of one: {error}.") from error
