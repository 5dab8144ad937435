<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Playlist;
use BeatMarket\Model\PlaylistDetail;
use BeatMarket\Page;
use BeatMarket\Value\PlaylistVisibility;

/** Lists of beats: your own, and public ones. */
final class Playlists
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the account's playlists, the newest first, one page at a time.
     *
     * Needs the permission users:read.
     *
     * @param int|null $page     The number of the page, from 1.
     * @param int|null $limit    The number of results on a page (1 to 100; default: 20).
     * @param int|null $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<Playlist>
     *
     * @throws BeatMarketException
     */
    public function list(?int $page = null, ?int $limit = null, ?int $maxItems = null): Page
    {
        return new Page(
            $this->connection,
            new Call(Operation::ListPlaylists, query: ['page' => $page, 'limit' => $limit]),
            ['playlists' => Playlist::class],
            $maxItems,
        );
    }

    /**
     * Creates a playlist, private by default. A repeated request with the same `Idempotency-Key` creates one playlist.
     *
     * Needs the permission profile:write.
     *
     * @param string                         $title
     * @param string|null                    $description
     * @param PlaylistVisibility|string|null $visibility     Who can read the playlist. `private`: only the account.
     *                                                       `public`: everyone who has its id. One of
     *                                                       Value\PlaylistVisibility.
     * @param list<int>|null                 $beatIds        The beats, in order. Each is on sale, and appears once.
     * @param string|null                    $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key
     *                                                       within 24 hours are carried out once. Default: a random
     *                                                       key, shared by the attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function create(
        string $title,
        ?string $description = null,
        PlaylistVisibility|string|null $visibility = null,
        ?array $beatIds = null,
        ?string $idempotencyKey = null,
    ): PlaylistDetail {
        return $this->connection->object(
            new Call(
                Operation::CreatePlaylist,
                body: [
                    'title' => $title,
                    'description' => $description ?? Absent::Field,
                    'visibility' => $visibility ?? Absent::Field,
                    'beat_ids' => $beatIds ?? Absent::Field,
                ],
                idempotencyKey: $idempotencyKey,
            ),
            PlaylistDetail::class,
            'playlist',
        );
    }

    /**
     * Returns one of the account's playlists, or a public playlist of another account, with its beats in order. Beats
     * that are not on sale are omitted.
     *
     * Needs the permission users:read.
     *
     * @param string $playlistId Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
     *
     * @throws BeatMarketException
     */
    public function get(string $playlistId): PlaylistDetail
    {
        return $this->connection->object(
            new Call(Operation::GetPlaylist, ids: ['playlist_id' => $playlistId]),
            PlaylistDetail::class,
            'playlist',
        );
    }

    /**
     * Changes the fields in the body. `beatIds` replaces the beats that are on sale, and their order.
     *
     * Needs the permission profile:write.
     *
     * @param string                           $playlistId  Identifier of the playlist: `pl_` and 22 letters, digits,
     *                                                      `-` or `_`.
     * @param string|Absent                    $title
     * @param string|Absent                    $description
     * @param PlaylistVisibility|string|Absent $visibility  Who can read the playlist. `private`: only the account.
     *                                                      `public`: everyone who has its id. One of
     *                                                      Value\PlaylistVisibility.
     * @param list<int>|Absent                 $beatIds     The beats, in order. Each is on sale, and appears once.
     *
     * @throws BeatMarketException
     */
    public function update(
        string $playlistId,
        string|Absent $title = Absent::Field,
        string|Absent $description = Absent::Field,
        PlaylistVisibility|string|Absent $visibility = Absent::Field,
        array|Absent $beatIds = Absent::Field,
    ): PlaylistDetail {
        return $this->connection->object(
            new Call(
                Operation::UpdatePlaylist,
                ids: ['playlist_id' => $playlistId],
                body: [
                    'title' => $title,
                    'description' => $description,
                    'visibility' => $visibility,
                    'beat_ids' => $beatIds,
                ],
            ),
            PlaylistDetail::class,
            'playlist',
        );
    }

    /**
     * Deletes the playlist and returns it as it was. Its beats stay in the catalogue.
     *
     * Needs the permission profile:write.
     *
     * @param string $playlistId Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
     *
     * @throws BeatMarketException
     */
    public function delete(string $playlistId): PlaylistDetail
    {
        return $this->connection->object(
            new Call(Operation::DeletePlaylist, ids: ['playlist_id' => $playlistId]),
            PlaylistDetail::class,
            'playlist',
        );
    }

    /**
     * Appends a beat to the playlist. A beat that is in the playlist already keeps its place.
     *
     * Needs the permission profile:write.
     *
     * @param string     $playlistId Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
     * @param int|string $beatId     Identifier of the beat.
     *
     * @throws BeatMarketException
     */
    public function addBeat(string $playlistId, int|string $beatId): PlaylistDetail
    {
        return $this->connection->object(
            new Call(Operation::AddPlaylistBeat, ids: ['playlist_id' => $playlistId, 'beat_id' => $beatId]),
            PlaylistDetail::class,
            'playlist',
        );
    }

    /**
     * Removes a beat from the playlist. It is no error if the beat is not in the playlist.
     *
     * Needs the permission profile:write.
     *
     * @param string     $playlistId Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.
     * @param int|string $beatId     Identifier of the beat.
     *
     * @throws BeatMarketException
     */
    public function removeBeat(string $playlistId, int|string $beatId): PlaylistDetail
    {
        return $this->connection->object(
            new Call(Operation::RemovePlaylistBeat, ids: ['playlist_id' => $playlistId, 'beat_id' => $beatId]),
            PlaylistDetail::class,
            'playlist',
        );
    }
}
