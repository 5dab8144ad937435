"""What the account sold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import operations
from ..downloads import SalesDownload, SalesExport
from ..exports import open_target
from ..listings import AsyncListing
from ..models import Sale
from ..request import build_request

if TYPE_CHECKING:
    import os
    from datetime import datetime

    from .client import AsyncBeatMarket


class AsyncSales:
    """What your account sold."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        beat: int | None = None,
        max_items: int | None = None,
    ) -> AsyncListing[Sale]:
        """Lists the completed orders of the account's beats, newest first.

        Args:
            page: the first page, from 1.
            limit: sales per page, 1 to 100; 20 by default.
            from_: only sales completed at this time or later; of a date alone, its first moment (UTC).
            to: only sales completed before this time.
            beat: only sales of the beat with this id.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "from": from_, "to": to, "beat": beat}
        return self._client._list(operations.LIST_SALES, query, max_items)

    async def export(self, month: str, path: str | os.PathLike[str]) -> SalesExport:
        """Downloads the sales of a month into a file, as CSV.

        Args:
            month: year and month (UTC), such as `2026-11`.
            path: of the file.
        """
        operation = operations.EXPORT_SALES
        request = build_request(self._client._settings, operation.method, operation.path, query={"month": month})
        with open_target(path) as file:
            response = await self._client._send(request, download=SalesDownload(file))
        return SalesExport(path, response)
