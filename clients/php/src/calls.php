<?php

declare(strict_types=1);

// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses -- each is a few lines, which a file of its own would double.
// Calls that are more than one request, of the resources that have one or two.

namespace BeatMarket\Calls;

use BeatMarket\BeatBatch;
use BeatMarket\BeatExport;
use BeatMarket\EventStream;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\LocalFile;

/** @internal */
trait BeatsCalls
{
    /**
     * Gets beats by their ids, in that order and with their licenses, with a request for every 100.
     * One that is given twice is returned once.
     *
     * @param list<int> $beatIds
     *
     * @throws BeatMarketException
     */
    public function getMany(array $beatIds): BeatBatch
    {
        $beats = [];
        $missing = [];
        foreach (array_chunk(array_unique($beatIds), 100) as $ids) {
            $page = $this->list(ids: $ids);
            array_push($beats, ...$page->data);
            array_push($missing, ...(is_array($page->missing) ? $page->missing : []));
        }

        return new BeatBatch($beats, $missing);
    }
}

/** @internal */
trait EventsCalls
{
    /**
     * The events after a position and each new one as it comes, one by one and without end (server-sent events). Lost
     * connections, restarts of the service and rate limits are waited out once the stream has begun.
     *
     * @param int|null    $after as for list()
     * @param string|null $type  as for list()
     */
    public function stream(?int $after = null, ?string $type = null): EventStream
    {
        return new EventStream($this->connection, $type, $after);
    }
}

/** @internal */
trait ExportsCalls
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
            $chunks = $this->connection->export();

            return new BeatExport(null, $chunks->response, $chunks->getIterator(...));
        }
        $response = $this->connection->save(new Call(Operation::ExportBeats), $path);

        return new BeatExport($path, $response, static fn (): \Generator => LocalFile::chunks($path));
    }
}
