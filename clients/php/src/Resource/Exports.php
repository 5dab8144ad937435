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
     * Returns all listed beats in one file, compressed with gzip: one line of JSON for each, as in `GET
     * /beats/{beat_id}`, in the order of ids. The file is at most ten minutes old, or older if nothing has changed
     * since. Together with `GET /changes` from its `X-Change-Position` on, it is an exact copy of the catalogue. Each
     * key may download one export an hour, outside of the plan's limits. Resuming an interrupted download with Range
     * does not count.
     *
     * Writes into a file. Resumes after a lost connection. The timeout is the longest wait for the next bytes.
     *
     * Needs the permission beats:read.
     *
     * @param string|null $path The file. Without it, a loop over the result reads the beats as they arrive.
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
