# Generated from contract/openapi.json by npm run contract; do not edit.
"""What the key's account sold."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ..._sync.lists import Listing, Page
from ...request import Query
from .. import operations
from ..models import Sale

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Sales:
    """What the key's account sold."""

    def __init__(self, client: BeatMarket) -> None:
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
    ) -> Listing[Sale]:
        """List your sales.

        The completed orders of the beats that the key's account sold, newest first, one page at a time. Sales of
        imported producers whom the account has claimed are among them.

        Args:
            page: Page number, from 1. Default: 1.
            limit: Results per page. From 1 to 100. Default: 20.
            from_: Only sales completed at this time or later, ISO 8601. A date alone is its first moment, UTC.
            to: Only sales completed before this time, ISO 8601. A date alone is its first moment, UTC.
            beat: Only sales of this beat.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit, "from": from_, "to": to, "beat": beat}
        return Listing(self._client, operations.LIST_SALES, Page[Sale], {"sales": Sale}, query, max_items)
