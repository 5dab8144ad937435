"""Exports of the catalogue and of sales."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from .._generated import operations
from ..body import Body
from ..downloads import SalesExport, saved
from ..exports import BeatExport, BeatLines, position_of
from ..response import Response
from .stream import AsyncStream

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterator, Awaitable

    from .._generated.models import BeatDetail
    from .client import AsyncBeatMarket


class AsyncExportsTransfers:
    """The hand-written methods of exports of the catalogue."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def _transfer_beats(self, path: str | os.PathLike[str] | None) -> AsyncBeatStream | Awaitable[BeatExport]:
        return AsyncBeatStream(self._client) if path is None else self._save(path)

    async def _save(self, path: str | os.PathLike[str]) -> BeatExport:
        body = Body({})
        with saved(path) as target:
            await _stream(self._client, body).save(target)
        return BeatExport(path, position_of(body), Response(200, body.received, b""))


class AsyncBeatStream:
    """The beats of an export, read while they are downloaded. Each loop downloads the export again."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client
        self.position: int | None = None
        """The export has every change up to this position. Continue from it with `changes.follow`.

        Known with the first beat.
        """

    async def __aiter__(self) -> AsyncIterator[BeatDetail]:
        body = Body({})
        lines = BeatLines(body)
        async with aclosing(_stream(self._client, body).pieces()) as pieces:
            async for offset, chunk in pieces:
                self.position = position_of(body)
                for beat in lines.beats(offset, chunk):
                    yield beat
        lines.check_end()


class AsyncSalesTransfers:
    """The hand-written methods of exports of sales."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def _transfer_export(self, month: str, path: str | os.PathLike[str]) -> SalesExport:
        operation = operations.EXPORT_SALES
        request = self._client._request(operation, query={"month": month}, has_envelope=False)
        stream = AsyncStream(self._client, request, Body({"accept": "text/csv"}))
        with saved(path) as target:
            await stream.save(target)
        return SalesExport(path, Response(200, stream.body.received, b""))


def _stream(client: AsyncBeatMarket, body: Body) -> AsyncStream:
    return AsyncStream(client, client._request(operations.EXPORT_BEATS, has_envelope=False), body)
