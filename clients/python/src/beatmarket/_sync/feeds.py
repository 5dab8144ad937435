# Generated from _async by npm run contract; edit that.
"""The changes of the catalogue and the events of the account, followed without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from .._generated import operations
from .._generated._sync import changes, events
from .._generated.events import EventPage
from .._generated.models import ChangePage
from ..errors import unexpected_response
from .event_stream import EventStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..operation import Operation
    from ..request import Query
    from .client import BeatMarket

S = TypeVar("S", ChangePage, EventPage)


class Changes(changes.Changes):
    """The changes of the catalogue in the order of commits. With them, a copy of the catalogue stays up to date."""

    def follow(self, *, after: int | None = None, limit: int = 1000, wait: int = 30) -> Iterator[ChangePage]:
        """Yields the pages of changes after a position, without end. Store a page's `next` together with its changes.

        A page without changes means that there was no change for `wait` seconds, so a loop can end there. After the
        first page, temporary failures (rate limits, restarts of the service, lost connections) are retried without
        limit.

        Args:
            after: as for `list`.
            limit: changes per page, 1 to 1,000.
            wait: seconds that the service waits for a first change, 0 to 30.

        Raises:
            GoneError: the service no longer keeps the changes after the position. Start again from an export.
        """
        query = {"after": after, "limit": limit, "wait": wait}
        return _follow(self._client, operations.LIST_CHANGES, ChangePage, query)


class Events(events.Events):
    """The account's events of the last 30 days, which webhooks deliver too. Reading them needs no public address."""

    def follow(
        self, *, after: int | None = None, type: str | None = None, limit: int = 1000, wait: int = 30
    ) -> Iterator[EventPage]:
        """Yields the pages of events after a position, without end, as `changes.follow` does.

        Args:
            after: as for `list`.
            type: as for `list`.
            limit: events per page, 1 to 1,000.
            wait: seconds that the service waits for a first event, 0 to 30.

        Raises:
            GoneError: the events after the position are no longer kept.
        """
        query = {"after": after, "type": type, "limit": limit, "wait": wait}
        return _follow(self._client, operations.LIST_EVENTS, EventPage, query)

    def stream(self, *, after: int | None = None, type: str | None = None) -> EventStream:
        """Yields the events after a position one by one, then each new event when it happens, without end.

        After the stream has begun, lost connections, restarts of the service and rate limits are retried without limit.

        Args:
            after: as for `list`.
            type: as for `list`.

        Raises:
            GoneError: the events after the position are no longer kept.
        """
        query = {"after": after, "type": type}
        headers = {"accept": "text/event-stream", "accept-encoding": "identity"}
        request = self._client._request(operations.LIST_EVENTS, query=query, headers=headers)
        return EventStream(self._client, request, after)


def _follow(client: BeatMarket, operation: Operation, kind: type[S], query: Query) -> Iterator[S]:
    """The pages of a feed. The first request has the usual retries, so that a wrong address raises an error."""
    settings = client._settings
    while True:
        page = client._object(operation, kind, None, settings, query=query)
        position = cast("object", page.next)
        if isinstance(position, bool) or not isinstance(position, int):
            raise unexpected_response(page.response)
        yield page
        query, settings = {**query, "after": position}, client._settings.retrying_forever()
