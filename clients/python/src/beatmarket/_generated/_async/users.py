# Generated from contract/openapi.json by npm run contract; do not edit.
"""Public profiles, and your own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._async.lists import AsyncListing, AsyncPage
from ...not_given import NOT_GIVEN, NotGiven, given
from ...request import Query
from .. import operations
from ..enums import BeatStatus
from ..models import BeatDetail, Follow, User

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncUsers:
    """Public profiles, and your own."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def my_beats(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: BeatStatus | None = None,
        max_items: int | None = None,
    ) -> AsyncListing[BeatDetail]:
        """List your beats.

        Returns the beats of the key's account in every state, drafts included, newest first, one page at a time.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            status: Only beats with this status.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit, "status": status}
        return AsyncListing(
            self._client, operations.LIST_OWN_BEATS, AsyncPage[BeatDetail], {"beats": BeatDetail}, query, max_items
        )

    async def get(self, user_id: int | str) -> User:
        """Get a user's profile.

        Returns the public profile of a user, producer or not. The profile has no e-mail address.

        Args:
            user_id: Identifier of the user.
        """
        return await self._client._object(operations.GET_USER, User, "user", path={"user_id": user_id})

    async def update_profile(
        self,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        bio: str | NotGiven | None = NOT_GIVEN,
        location: str | NotGiven | None = NOT_GIVEN,
        website: str | NotGiven | None = NOT_GIVEN,
        avatar_url: str | NotGiven | None = NOT_GIVEN,
    ) -> User:
        """Change your profile.

        Changes the public profile of the key's account and returns it. An omitted field stays as it is; None clears it.

        Args:
            display_name: The name that is shown.
            bio: A text.
            location: A text.
            website: A text.
            avatar_url: A text.
        """
        body = given(display_name=display_name, bio=bio, location=location, website=website, avatar_url=avatar_url)
        return await self._client._object(operations.UPDATE_PROFILE, User, "user", body=body)

    def following(
        self, *, page: int | None = None, limit: int | None = None, max_items: int | None = None
    ) -> AsyncListing[User]:
        """List the producers whom you follow.

        Returns the profiles of the producers that the account follows, the newest first, one page at a time.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit}
        return AsyncListing(self._client, operations.LIST_FOLLOWING, AsyncPage[User], {"users": User}, query, max_items)

    async def follow(self, user_id: int | str) -> Follow:
        """Follow a producer.

        Follows a producer. If the account follows the producer already, `created_at` stays.

        Args:
            user_id: Identifier of the user.
        """
        return await self._client._object(operations.FOLLOW_USER, Follow, "follow", path={"user_id": user_id})

    async def unfollow(self, user_id: int | str) -> Follow:
        """Unfollow a producer.

        Unfollows a producer. It is no error if the account does not follow the producer.

        Args:
            user_id: Identifier of the user.
        """
        return await self._client._object(operations.UNFOLLOW_USER, Follow, "follow", path={"user_id": user_id})
