<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Genre;
use BeatMarket\Operation;

final class Genres
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists all genres.
     *
     * @return Collection<Genre>
     *
     * @throws BeatMarketException
     */
    public function list(): Collection
    {
        $url = $this->connection->url(Operation::ListGenres);

        return $this->connection->readAll($this->connection->get($url), 'genres', Genre::class);
    }
}
