# Generated from contract/openapi.json by npm run contract; do not edit.
"""Lists of beats: your own, and public ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._async.lists import AsyncListing, AsyncPage
from ...not_given import NOT_GIVEN, NotGiven, given, present
from ...request import Query
from .. import operations
from ..enums import PlaylistVisibility
from ..models import Playlist, PlaylistDetail

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncPlaylists:
    """Lists of beats: your own, and public ones."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def list(
        self, *, page: int | None = None, limit: int | None = None, max_items: int | None = None
    ) -> AsyncListing[Playlist]:
        """List your playlists.

        Returns the account's playlists, the newest first, one page at a time.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit}
        return AsyncListing(
            self._client, operations.LIST_PLAYLISTS, AsyncPage[Playlist], {"playlists": Playlist}, query, max_items
        )

    async def create(
        self,
        *,
        title: str,
        description: str | None = None,
        visibility: PlaylistVisibility | None = None,
        beat_ids: Sequence[int] | None = None,
        idempotency_key: str | None = None,
    ) -> PlaylistDetail:
        """Create a playlist.

        Creates a playlist, private by default. A repeated request with the same `Idempotency-Key` creates one playlist.

        Args:
            title: A text.
            description: A text.
            visibility: Who can read the playlist. `private`: only the account. `public`: everyone who has its id.
            beat_ids: The beats, in order. Each is on sale, and appears once.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        body = present(title=title, description=description, visibility=visibility, beat_ids=beat_ids)
        return await self._client._object(
            operations.CREATE_PLAYLIST,
            PlaylistDetail,
            "playlist",
            body=body,
            headers={"idempotency-key": idempotency_key},
        )

    async def get(self, playlist_id: str) -> PlaylistDetail:
        """Get a playlist.

        Returns one of the account's playlists, or a public playlist of another account, with its beats in order. Beats
        that are not on sale are omitted.

        Args:
            playlist_id: Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
        """
        return await self._client._object(
            operations.GET_PLAYLIST, PlaylistDetail, "playlist", path={"playlist_id": playlist_id}
        )

    async def update(
        self,
        playlist_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        visibility: PlaylistVisibility | NotGiven = NOT_GIVEN,
        beat_ids: Sequence[int] | NotGiven = NOT_GIVEN,
    ) -> PlaylistDetail:
        """Change one of your playlists.

        Changes the fields in the body. `beat_ids` replaces the beats that are on sale, and their order.

        Args:
            playlist_id: Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
            title: A text.
            description: A text.
            visibility: Who can read the playlist. `private`: only the account. `public`: everyone who has its id.
            beat_ids: The beats, in order. Each is on sale, and appears once.
        """
        body = given(title=title, description=description, visibility=visibility, beat_ids=beat_ids)
        return await self._client._object(
            operations.UPDATE_PLAYLIST, PlaylistDetail, "playlist", path={"playlist_id": playlist_id}, body=body
        )

    async def delete(self, playlist_id: str) -> PlaylistDetail:
        """Delete one of your playlists.

        Deletes the playlist and returns it as it was. Its beats stay in the catalogue.

        Args:
            playlist_id: Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
        """
        return await self._client._object(
            operations.DELETE_PLAYLIST, PlaylistDetail, "playlist", path={"playlist_id": playlist_id}
        )

    async def add_beat(self, playlist_id: str, beat_id: int | str) -> PlaylistDetail:
        """Add a beat to one of your playlists.

        Appends a beat to the playlist. A beat that is in the playlist already keeps its place.

        Args:
            playlist_id: Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
            beat_id: Identifier of the beat.
        """
        return await self._client._object(
            operations.ADD_PLAYLIST_BEAT,
            PlaylistDetail,
            "playlist",
            path={"playlist_id": playlist_id, "beat_id": beat_id},
        )

    async def remove_beat(self, playlist_id: str, beat_id: int | str) -> PlaylistDetail:
        """Remove a beat from one of your playlists.

        Removes a beat from the playlist. It is no error if the beat is not in the playlist.

        Args:
            playlist_id: Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
            beat_id: Identifier of the beat.
        """
        return await self._client._object(
            operations.REMOVE_PLAYLIST_BEAT,
            PlaylistDetail,
            "playlist",
            path={"playlist_id": playlist_id, "beat_id": beat_id},
        )
