<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Producer;
use BeatMarket\Page;
use BeatMarket\Value\ProducerSort;

/** Users who sell beats. */
final class Producers
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns all producers with their genres and plays, one page at a time.
     *
     * Needs the permission producers:read.
     *
     * @param int|null                 $page     The number of the page, from 1.
     * @param int|null                 $limit    The number of results on a page (1 to 100; default: 20).
     * @param ProducerSort|string|null $sort     The order of the list (default: popular). Every order ends with the id,
     *                                           so pages never overlap. One of Value\ProducerSort.
     * @param int|null                 $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<Producer>
     *
     * @throws BeatMarketException
     */
    public function list(
        ?int $page = null,
        ?int $limit = null,
        ProducerSort|string|null $sort = null,
        ?int $maxItems = null,
    ): Page {
        return new Page(
            $this->connection,
            new Call(Operation::ListProducers, query: ['page' => $page, 'limit' => $limit, 'sort' => $sort]),
            ['producers' => Producer::class],
            $maxItems,
        );
    }
}
