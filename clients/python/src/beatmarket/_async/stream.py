"""Downloads that continue after a broken connection."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

from ..errors import APIConnectionError, APIStatusError, status_error
from ..request import redirect_of
from ..tries import Tries

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from ..body import Body, Target
    from ..request import Request
    from .client import AsyncBeatMarket
    from .transport import AsyncResponseStream

_MOST_REDIRECTS = 5


class AsyncStream:
    """The bytes of a file. Resumes where a connection broke. The timeout is the longest wait for the next bytes."""

    def __init__(
        self,
        client: AsyncBeatMarket,
        request: Request,
        body: Body,
        renew: Callable[[], Awaitable[Request]] | None = None,
    ) -> None:
        """Args:
        client: its connections and settings are used.
        request: for the file. A link has no key, so its redirects are followed, to https or to this machine.
        body: counts the received bytes.
        renew: requests a new link after the old one has expired.
        """
        self.body = body
        self._client = client
        self._request = request
        self._renew = renew

    async def pieces(self) -> AsyncGenerator[tuple[int, bytes], None]:
        """The bytes in order, each piece with its offset. A later piece at 0 begins the file again."""
        tries = Tries(self._client._settings.patient(), self._request, self.body)
        while True:
            try:
                async with self._opened(tries.attempt) as answer:
                    self.body.begin(answer.status, answer.headers)
                    async for chunk in answer.chunks():
                        offset = self.body.bytes
                        self.body.bytes += len(chunk)
                        yield offset, chunk
                self.body.check_end()
                return
            except (APIConnectionError, APIStatusError) as error:
                wait_s = tries.failed(error)
            await self._client._sleep(wait_s)

    async def save(self, target: Target) -> None:
        """Writes the bytes to a file."""
        async with aclosing(self.pieces()) as pieces:
            async for offset, chunk in pieces:
                target.write(offset, chunk)

    @asynccontextmanager
    async def _opened(self, attempt: int) -> AsyncGenerator[AsyncResponseStream, None]:
        request, redirects_left, renew = self._request, _MOST_REDIRECTS, self._renew
        while True:
            settings, headers = self._client._settings, self.body.headers()
            async with self._client._transport.open(request, settings, headers, attempt) as answer:
                if answer.status in (200, 206):
                    yield answer
                    return
                response = await answer.whole()
            target = redirect_of(response, request) if redirects_left and not request.has_key else None
            if target is not None:
                request, redirects_left = target, redirects_left - 1
            elif response.status == 410 and renew is not None:
                self._request = request = await renew()
                redirects_left, renew = _MOST_REDIRECTS, None
            else:
                raise status_error(response)
