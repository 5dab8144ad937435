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

        Every producer with their genres and plays, one page at a time.

        Args:
            page: Page number, from 1. Default: 1.
            limit: Results per page. From 1 to 100. Default: 20.
            sort: Order of the list. The id is the last key of every order, so pages never overlap. Default: popular.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit, "sort": sort}
        return Listing(
            self._client, operations.LIST_PRODUCERS, Page[Producer], {"producers": Producer}, query, max_items
        )
