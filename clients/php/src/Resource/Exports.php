<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\BeatExport;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Http\Connection;
use BeatMarket\Http\ExportDownload;
use BeatMarket\Operation;

/** Exports of the catalogue. */
final class Exports
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Downloads all beats into a file, as gzip of one line of JSON each. Goes on where a connection breaks. The client's
     * timeout is how long it waits for the next bytes.
     *
     * @throws RateLimitException       if the key took an export within the last hour
     * @throws InvalidArgumentException if the file cannot be written
     * @throws BeatMarketException
     */
    public function beats(string $path): BeatExport
    {
        $download = new ExportDownload($path);
        try {
            $response = $this->connection->get($this->connection->url(Operation::ExportBeats), download: $download);
        } finally {
            $download->close();
        }

        return new BeatExport($path, $download->position, $response);
    }
}
