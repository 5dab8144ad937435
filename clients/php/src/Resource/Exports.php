<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\BeatExport;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Download;
use BeatMarket\Http\LocalFile;

/** All beats in one file. */
final class Exports extends Resource
{
    /**
     * Takes an export of all beats: into a file, as gzip of one line of JSON each, or without a path as a stream that is
     * read while it arrives. Goes on where a connection breaks. The client's timeout is how long it waits for the next bytes.
     *
     * @throws RateLimitException       if the key took an export within the last hour
     * @throws InvalidArgumentException if the file cannot be written
     * @throws BeatMarketException
     */
    public function beats(?string $path = null): BeatExport
    {
        if ($path === null) {
            $chunks = $this->connection->stream(Operation::ExportBeats);

            return new BeatExport(null, $chunks->response, $chunks->getIterator(...));
        }
        $response = $this->connection->save(Operation::ExportBeats, [], $path);

        return new BeatExport($path, $response, static fn (): \Generator => LocalFile::chunks($path));
    }
}
