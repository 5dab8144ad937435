<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Producer;
use BeatMarket\Operation;
use BeatMarket\Page;

final class Producers
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists producers.
     *
     * @param int|null    $page     from 1
     * @param int|null    $limit    producers on a page, 1 to 100; 20 by default
     * @param string|null $sort     one of Value\ProducerSort; popular by default
     * @param int|null    $maxItems maximum number of producers in a foreach
     *
     * @return Page<Producer>
     *
     * @throws BeatMarketException
     */
    public function list(?int $page = null, ?int $limit = null, ?string $sort = null, ?int $maxItems = null): Page
    {
        return Page::at(
            $this->connection->url(Operation::ListProducers, query: ['page' => $page, 'limit' => $limit, 'sort' => $sort]),
            $this->connection,
            static fn (Fields $data): array => $data->models('producers', Producer::class),
            $maxItems,
        );
    }
}
