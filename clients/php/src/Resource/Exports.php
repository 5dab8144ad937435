<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\BeatExport;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Http\Connection;

/** All beats in one file. */
final class Exports
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Takes an export of all beats: into a file, as gzip of one line of JSON each, or without a path as a stream that
     * is read while it arrives. Goes on where a connection breaks. The client's timeout is how long it waits for the
     * next bytes.
     *
     * @param string|null $path
     *
     * @throws RateLimitException if the key took an export within the last hour
     * @throws InvalidArgumentException if the file cannot be written
     * @throws BeatMarketException
     */
    public function beats(?string $path = null): BeatExport
    {
        return BeatExport::take($this->connection, $path);
    }
}
