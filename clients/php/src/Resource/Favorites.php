<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\Favorite;
use BeatMarket\Page;

/** The favorite beats of the key's account. */
final class Favorites
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the account's favorite beats that are on sale, the newest favorite first, one page at a time.
     *
     * Needs the permission users:read.
     *
     * @param int|null $page     The number of the page, from 1.
     * @param int|null $limit    The number of results on a page (1 to 100; default: 20).
     * @param int|null $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<Beat>
     *
     * @throws BeatMarketException
     */
    public function list(?int $page = null, ?int $limit = null, ?int $maxItems = null): Page
    {
        return new Page(
            $this->connection,
            new Call(Operation::ListFavorites, query: ['page' => $page, 'limit' => $limit]),
            ['beats' => Beat::class],
            $maxItems,
        );
    }

    /**
     * Adds a beat on sale to the favorites. If the beat is a favorite already, its `createdAt` stays.
     *
     * Needs the permission profile:write.
     *
     * @param int|string $beatId Identifier of the beat.
     *
     * @throws BeatMarketException
     */
    public function add(int|string $beatId): Favorite
    {
        return $this->connection->object(
            new Call(Operation::AddFavorite, ids: ['beat_id' => $beatId]),
            Favorite::class,
            'favorite',
        );
    }

    /**
     * Removes a beat from the favorites. It is no error if the beat is not a favorite.
     *
     * Needs the permission profile:write.
     *
     * @param int|string $beatId Identifier of the beat.
     *
     * @throws BeatMarketException
     */
    public function remove(int|string $beatId): Favorite
    {
        return $this->connection->object(
            new Call(Operation::RemoveFavorite, ids: ['beat_id' => $beatId]),
            Favorite::class,
            'favorite',
        );
    }
}
