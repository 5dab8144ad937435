# Generated from _async by npm run contract; edit that.
"""Downloads that continue after a broken connection."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ..errors import APIConnectionError, APIStatusError, status_error
from ..request import redirect_of
from ..tries import Tries

if TYPE_CHECKING:
    from collections.abc import Generator, Callable

    from ..body import Body, Target
    from ..request import Request
    from .client import BeatMarket
    from .transport import ResponseStream

_MOST_REDIRECTS = 5


class Stream:
    """The bytes of a file. Resumes where a connection broke. The timeout is the longest wait for the next bytes."""

    def __init__(
        self,
        client: BeatMarket,
        request: Request,
        body: Body,
        renew: Callable[[], Request] | None = None,
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

    def pieces(self) -> Generator[tuple[int, bytes], None, None]:
        """The bytes in order, each piece with its offset. A later piece at 0 begins the file again."""
        tries = Tries(self._client._settings.patient(), self._request, self.body)
        while True:
            try:
                with self._opened(tries.attempt) as answer:
                    self.body.begin(answer.status, answer.headers)
                    for chunk in answer.chunks():
                        offset = self.body.bytes
                        self.body.bytes += len(chunk)
                        yield offset, chunk
                self.body.check_end()
                return
            except (APIConnectionError, APIStatusError) as error:
                wait_s = tries.failed(error)
            self._client._sleep(wait_s)

    def save(self, target: Target) -> None:
        """Writes the bytes to a file."""
        with closing(self.pieces()) as pieces:
            for offset, chunk in pieces:
                target.write(offset, chunk)

    @contextmanager
    def _opened(self, attempt: int) -> Generator[ResponseStream, None, None]:
        request, redirects_left, renew = self._request, _MOST_REDIRECTS, self._renew
        while True:
            settings, headers = self._client._settings, self.body.headers()
            with self._client._transport.open(request, settings, headers, attempt) as answer:
                if answer.status in (200, 206):
                    yield answer
                    return
                response = answer.whole()
            target = redirect_of(response, request) if redirects_left and not request.has_key else None
            if target is not None:
                request, redirects_left = target, redirects_left - 1
            elif response.status == 410 and renew is not None:
                self._request = request = renew()
                redirects_left, renew = _MOST_REDIRECTS, None
            else:
                raise status_error(response)
