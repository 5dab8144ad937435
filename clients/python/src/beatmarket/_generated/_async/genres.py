# Generated from contract/openapi.json by npm run contract; do not edit.
"""The genres of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...operation import ItemList
from .. import operations
from ..models import Genre

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncGenres:
    """The genres of the catalogue."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def list(self) -> ItemList[Genre]:
        """List genres. Returns all genres by name, with the number of beats on sale in each."""
        return await self._client._array(operations.LIST_GENRES, Genre, "genres")
