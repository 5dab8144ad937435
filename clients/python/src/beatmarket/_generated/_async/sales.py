# Generated from contract/openapi.json by npm run contract; do not edit.
"""What the key's account sold."""

from __future__ import annotations

import os
from datetime import datetime

from ..._async.files import AsyncSalesTransfers
from ..._async.lists import AsyncListing, AsyncPage
from ...downloads import SalesExport
from ...request import Query
from .. import operations
from ..models import Sale


class AsyncSales(AsyncSalesTransfers):
    """What the key's account sold."""

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
        """List your sales.

        Returns the completed orders of beats that the key's account sold, newest first, one page at a time. Sales of
        imported producers that the account has claimed are included.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            from_: Only sales completed at this time or later, ISO 8601. A date alone is its first moment in UTC.
            to: Only sales completed before this time, ISO 8601. A date alone is its first moment in UTC.
            beat: Only sales of this beat.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit, "from": from_, "to": to, "beat": beat}
        return AsyncListing(self._client, operations.LIST_SALES, AsyncPage[Sale], {"sales": Sale}, query, max_items)

    async def export(self, month: str, path: str | os.PathLike[str]) -> SalesExport:
        """Returns the sales of a month (UTC), the oldest first, as CSV in UTF-8 with a byte order mark and a header
        line.

        Amounts have two decimals. A name that a spreadsheet would take for a formula begins with an apostrophe. Writes
        into a file. Starts again after a lost connection. The timeout is the longest wait for the next bytes.

        Args:
            month: Year and month, such as "2026-11".
            path: The file. An existing file is replaced.

        Raises:
            InvalidRequestError: if the month is invalid.
            BeatMarketError: if the file cannot be written.
        """
        return await self._transfer_export(month, path)
