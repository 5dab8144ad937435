"""The change stream, exports of the catalogue, and the events of the account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import operations
from ..events import Event
from ..exports import BeatExport, ExportDownload, open_target
from ..pages import ChangePage, EventPage
from ..request import build_request

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterator

    from .client import AsyncBeatMarket


class AsyncChanges:
    """The changes of the catalogue in the order of commits: what keeps a copy of it true."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def list(self, *, after: int | None = None, limit: int | None = None, wait: int | None = None) -> ChangePage:
        """Lists the changes behind a position.

        Args:
            after: the `next` of the last page, or the position of an export; without it, from the oldest that is kept.
            limit: changes per page, 1 to 1,000; 100 by default.
            wait: seconds that the service waits for a first change, 0 (default) to 30; extends the client's timeout.

        Raises:
            GoneError: the changes behind `after` are no longer kept: take an export.
        """
        query = {"after": after, "limit": limit, "wait": wait}
        return await self._client._page(operations.LIST_CHANGES, query)

    async def follow(self, *, after: int | None = None, limit: int = 1000, wait: int = 30) -> AsyncIterator[ChangePage]:
        """Follows the changes behind a position, page by page and without end: store `next` with what a page brings.

        A page without changes says that there were none for `wait` seconds, so a loop can end there. Temporary failures
        (rate limits, restarts of the service, lost connections) are waited out once a first page has come.

        Args:
            after: as for `list`.
            limit: changes per page, 1 to 1,000.
            wait: seconds that the service waits for a first change, 0 to 30.

        Raises:
            GoneError: the changes behind the position are no longer kept: take an export.
        """
        async for page in self._client._follow(operations.LIST_CHANGES, {"after": after, "limit": limit, "wait": wait}):
            yield page


class AsyncExports:
    """Exports of the catalogue."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def beats(self, path: str | os.PathLike[str]) -> BeatExport:
        """Downloads all beats into a file, as gzip of one line of JSON each. Goes on where a connection breaks.

        The client's timeout is how long it waits for the next bytes.

        Raises:
            RateLimitError: the key took an export within the last hour.
        """
        operation = operations.EXPORT_BEATS
        request = build_request(self._client._settings, operation.method, operation.path)
        with open_target(path) as file:
            download = ExportDownload(file)
            response = await self._client._send(request, download=download)
        return BeatExport(path, download.position, response)


class AsyncEvents:
    """The account's events of the last 30 days: what webhooks deliver, for those without a public address."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def list(
        self, *, after: int | None = None, type: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> EventPage:
        """Lists the events behind a position.

        Args:
            after: the `next` of the last page; without it, from the oldest event that is kept.
            type: only events of this type, or of several by comma.
            limit: events per page, 1 to 1,000; 100 by default.
            wait: seconds that the service waits for a first event, 0 (default) to 30; extends the client's timeout.

        Raises:
            GoneError: the events behind `after` are no longer kept.
        """
        query = {"after": after, "type": type, "limit": limit, "wait": wait}
        return await self._client._page(operations.LIST_EVENTS, query)

    async def get(self, event_id: str) -> Event:
        """Gets an event. Raises NotFoundError if the account has none with this id, or no longer."""
        return await self._client._call(operations.GET_EVENT, ids={"event_id": event_id})

    async def follow(
        self, *, after: int | None = None, type: str | None = None, limit: int = 1000, wait: int = 30
    ) -> AsyncIterator[EventPage]:
        """Follows the events behind a position, page by page and without end, as `changes.follow` does.

        Args:
            after: as for `list`.
            type: as for `list`.
            limit: events per page, 1 to 1,000.
            wait: seconds that the service waits for a first event, 0 to 30.

        Raises:
            GoneError: the events behind the position are no longer kept.
        """
        query = {"after": after, "type": type, "limit": limit, "wait": wait}
        async for page in self._client._follow(operations.LIST_EVENTS, query):
            yield page
