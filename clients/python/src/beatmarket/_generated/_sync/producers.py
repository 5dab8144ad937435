# Generated from contract/openapi.json by npm run contract; do not edit.
"""Users who sell beats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._sync.lists import Listing, Page
from ...request import Query
from .. import operations
from ..enums import ProducerSort
from ..models import Producer

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Producers:
    """Users who sell beats."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        sort: ProducerSort | None = None,
        max_items: int | None = None,
    ) -> Listing[Producer]:
        """List producers.

        Returns all producers with their genres and plays, one page at a time.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            sort: The order of the list. Every order ends with the id, so pages never overlap. Default: popular.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit, "sort": sort}
        return Listing(
            self._client, operations.LIST_PRODUCERS, Page[Producer], {"producers": Producer}, query, max_items
        )
