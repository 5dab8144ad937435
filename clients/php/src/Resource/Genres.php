<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Genre;

/** The genres of the catalogue. */
final class Genres
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns all genres by name, with the number of beats on sale in each.
     *
     * Needs the permission genres:read.
     *
     * @return Collection<Genre>
     *
     * @throws BeatMarketException
     */
    public function list(): Collection
    {
        return $this->connection->collection(new Call(Operation::ListGenres), Genre::class, 'genres');
    }
}
