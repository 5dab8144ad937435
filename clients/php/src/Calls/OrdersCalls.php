<?php

declare(strict_types=1);

namespace BeatMarket\Calls;

use BeatMarket\Delivery\Delivery;
use BeatMarket\DownloadedFile;
use BeatMarket\DownloadProgress;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;

/** @internal */
trait OrdersCalls
{
    /**
     * Downloads a file of an order. Its bytes go to "{$destination}.part"; once all have come and their SHA-256 is that of the
     * listing, they get their name. Goes on where a connection breaks, with a new link where one expires, and, in a later call,
     * with the .part of one that threw. A file that is there already is not fetched. The client's timeout is how long it waits
     * for the next bytes. The key is not sent to the link, which may lead to another host.
     *
     * @param string                                 $kind        one of Value\FileKind
     * @param string                                 $destination the file; one that is there is replaced in the end
     * @param \Closure(DownloadProgress): mixed|null $progress    called once it is known where to go on from, and as bytes come
     *
     * @throws ChecksumException        if other bytes came than the service lists; they are deleted
     * @throws InvalidArgumentException if the order has no such file, or the destination cannot be written
     * @throws InvalidRequestException  409 if the order is not completed
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function download(int|string $orderId, string $kind, string $destination, ?\Closure $progress = null): DownloadedFile
    {
        return (new Delivery($this->connection, $orderId, $progress))->download($kind, $destination);
    }

    /**
     * Downloads all files of an order, as download() does, under the names that the service gives them, without what a file
     * system refuses or what leads out of the folder.
     *
     * @param string                                 $folder   made if it is not there
     * @param \Closure(DownloadProgress): mixed|null $progress as for download()
     *
     * @return list<DownloadedFile>
     *
     * @throws ChecksumException        as download()
     * @throws InvalidArgumentException if the order has no files, since it was refunded, or the folder cannot be written
     * @throws BeatMarketException
     */
    public function downloadAll(int|string $orderId, string $folder, ?\Closure $progress = null): array
    {
        return (new Delivery($this->connection, $orderId, $progress))->downloadAll($folder);
    }
}
