# Generated from contract/openapi.json by npm run contract; do not edit.
"""What changes in the catalogue, in the order of commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...request import Query
from .. import operations
from ..models import ChangePage

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncChanges:
    """What changes in the catalogue, in the order of commits."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def list(self, *, after: int | None = None, limit: int | None = None, wait: int | None = None) -> ChangePage:
        """List changes of the catalogue.

        Returns every change of a listed beat, in the order of commits, without gaps and repetitions. With it a program
        keeps a copy of the catalogue up to date. Begin with an export, then pass `next` as `after`; with `wait`, the
        response is sent as soon as something changes. Changes are stored for 30 days.

        Args:
            after: Only changes after this position: the `next` of the previous response, or the `X-Change-Position` of
                an export. Default: from the oldest stored change.
            limit: The maximum number of changes in a response. From 1 to 1000. Default: 100.
            wait: The number of seconds to wait for a change if there is none yet. The response is sent as soon as there
                is one. From 0 to 30. Default: 0.
        """
        query: Query = {"after": after, "limit": limit, "wait": wait}
        return await self._client._object(operations.LIST_CHANGES, ChangePage, None, query=query)
