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

/** Beats that the key's account keeps. */
final class Favorites
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * The account's favorite beats that are on sale, the newest favorite first, one page at a time.
     *
     * Needs the permission users:read.
     *
     * @param int|null $page     Page number, from 1.
     * @param int|null $limit    Results per page (1 to 100; default: 20).
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
     * Adds a beat that is on sale. A beat that is a favorite already keeps its time.
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
     * Removes a beat from the favorites. A beat that is no favorite is no error.
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
