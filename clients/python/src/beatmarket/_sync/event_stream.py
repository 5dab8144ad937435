# Generated from _async by npm run contract; edit that.
"""The events of the account, as they happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .._generated.events import BaseEvent, Event
from ..errors import APIConnectionError, APIStatusError, status_error, unexpected_response
from ..response import Response
from ..server_sent import ServerSentEvents
from ..tries import Tries
from ..wire import is_object

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import TracebackType

    from typing_extensions import Self

    from ..request import Request
    from ..server_sent import ServerSentEvent
    from .client import BeatMarket
    from .transport import ResponseStream

_QUIET_S = 45
"""Without a byte for this long, the connection counts as lost: the service sends a byte at least every 15 seconds."""


class EventStream:
    """The events of the account, as they come and without end.

    A lost connection is opened again with the position of the last event, so that none is lost or repeated. The first
    connection is retried `max_retries` times like any request; then its error is raised. Leaving the loop does not
    close the connection, and a later loop goes on with the next event: use `with`, or call `close`.
    """

    def __init__(self, client: BeatMarket, request: Request, after: int | None) -> None:
        self.position = after
        """The position of the latest event, or `after` before the first. Store it, and pass it as `after` later."""
        self._client = client
        self._request = request
        self._events: Generator[Event, None, None] | None = None
        self._is_closed = False
        self._last_id: int | None = None
        self._has_begun = False
        self._has_advanced = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        """The next event. After an error, the same stream continues after its last event."""
        if self._is_closed:
            raise StopIteration
        if self._events is None:
            self._events = self._read_events()
        try:
            return self._events.__next__()
        except BaseException:
            self._events = None
            raise

    def close(self) -> None:
        """Ends the stream and closes its connection."""
        self._is_closed = True
        if self._events is not None:
            self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def has_advanced(self) -> bool:
        """Whether an event arrived since the last call of this method. If so, attempts count from one again."""
        has_advanced = self._has_advanced
        self._has_advanced = False
        return has_advanced

    def _read_events(self) -> Generator[Event, None, None]:
        settings = self._client._settings
        tries = Tries(settings.retrying_forever() if self._has_begun else settings, self._request, self)
        while True:
            # The service prefers the header to the query's `after`.
            headers = {} if self._last_id is None else {"last-event-id": str(self._last_id)}
            try:
                with self._client._transport.open(self._request, settings, headers, tries.attempt) as answer:
                    _check(answer)
                    if not self._has_begun:
                        self._has_begun, tries = True, Tries(settings.retrying_forever(), self._request, self)
                    parser = ServerSentEvents()
                    for chunk in answer.chunks(_QUIET_S):
                        for event in parser.read(chunk):
                            yield self._to_event(event, answer)
                wait_s = parser.retry_s
            except (APIConnectionError, APIStatusError) as error:
                wait_s = tries.failed(error)
            self._client._sleep(wait_s)

    def _to_event(self, sent: ServerSentEvent, answer: ResponseStream) -> Event:
        response = Response(answer.status, answer.headers, sent.data.encode())
        fields = response.body
        if not is_object(fields):
            raise unexpected_response(response)
        if sent.id.isascii() and sent.id.isdigit():
            self.position = self._last_id = int(sent.id)
        self._has_advanced = True
        return cast("Event", BaseEvent._of(fields, response))


def _check(answer: ResponseStream) -> None:
    if answer.status == 200 and answer.headers.get("content-type", "").startswith("text/event-stream"):
        return
    response = answer.whole()
    raise unexpected_response(response) if 200 <= response.status < 300 else status_error(response)
