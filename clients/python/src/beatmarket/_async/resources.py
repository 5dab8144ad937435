"""The resources of the API that are small, one class each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import operations
from ..listings import AsyncListing
from ..models import BeatDetail, BeatStatus, Genre, Producer, ProducerSort, User
from ..not_given import NOT_GIVEN, NotGiven
from ..pages import ItemList

if TYPE_CHECKING:
    from .client import AsyncBeatMarket


class AsyncUsers:
    """Public profiles and your own."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def get(self, user_id: int | str) -> User:
        """Gets the public profile of a user. Raises NotFoundError if it does not exist."""
        return await self._client._call(operations.GET_USER, ids={"user_id": user_id})

    async def update_profile(
        self,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        bio: str | NotGiven | None = NOT_GIVEN,
        location: str | NotGiven | None = NOT_GIVEN,
        website: str | NotGiven | None = NOT_GIVEN,
        avatar_url: str | NotGiven | None = NOT_GIVEN,
    ) -> User:
        """Updates the profile of the key's account. None clears a field; a field that is not passed is unchanged.

        Args:
            display_name: the public name, 1 to 100 characters.
            bio: 1 to 2000 characters.
            location: 1 to 100 characters.
            website: a URL, at most 2000 characters.
            avatar_url: URL of an image, at most 2000 characters.

        Raises:
            InvalidRequestError: a field is invalid; `details` names it.
        """
        given = {
            "display_name": display_name,
            "bio": bio,
            "location": location,
            "website": website,
            "avatar_url": avatar_url,
        }
        body = {name: value for name, value in given.items() if value is not NOT_GIVEN}
        return await self._client._call(operations.UPDATE_PROFILE, body=body)

    def my_beats(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: BeatStatus | None = None,
        max_items: int | None = None,
    ) -> AsyncListing[BeatDetail]:
        """Lists the beats of the key's account in every state, newest first.

        Args:
            page: the first page, from 1.
            limit: beats per page, 1 to 100; 20 by default.
            status: only beats with this status: draft, processing, published or withdrawn.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "status": status}
        return self._client._list(operations.LIST_OWN_BEATS, query, max_items)


class AsyncProducers:
    """Users who sell beats."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        sort: ProducerSort | None = None,
        max_items: int | None = None,
    ) -> AsyncListing[Producer]:
        """Lists producers.

        Args:
            page: the first page, from 1.
            limit: producers per page, 1 to 100; 20 by default.
            sort: popular (default), newest or name.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "sort": sort}
        return self._client._list(operations.LIST_PRODUCERS, query, max_items)


class AsyncGenres:
    """The genres of the catalogue."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def list(self) -> ItemList[Genre]:
        """Lists all genres."""
        return await self._client._call(operations.LIST_GENRES)
