# Generated from contract/openapi.json by npm run contract; do not edit.
"""The favorite beats of the key's account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._sync.lists import Listing, Page
from ...request import Query
from .. import operations
from ..models import Beat, Favorite

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Favorites:
    """The favorite beats of the key's account."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def list(self, *, page: int | None = None, limit: int | None = None, max_items: int | None = None) -> Listing[Beat]:
        """List your favorites.

        Returns the account's favorite beats that are on sale, the newest favorite first, one page at a time.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit}
        return Listing(self._client, operations.LIST_FAVORITES, Page[Beat], {"beats": Beat}, query, max_items)

    def add(self, beat_id: int | str) -> Favorite:
        """Add a favorite.

        Adds a beat on sale to the favorites. If the beat is a favorite already, its `created_at` stays.

        Args:
            beat_id: Identifier of the beat.
        """
        return self._client._object(operations.ADD_FAVORITE, Favorite, "favorite", path={"beat_id": beat_id})

    def remove(self, beat_id: int | str) -> Favorite:
        """Remove a favorite.

        Removes a beat from the favorites. It is no error if the beat is not a favorite.

        Args:
            beat_id: Identifier of the beat.
        """
        return self._client._object(operations.REMOVE_FAVORITE, Favorite, "favorite", path={"beat_id": beat_id})
