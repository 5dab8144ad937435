<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Model\BeatDetail;

// What calls return or report beyond the models of the API.

/** The rate limit of the key: the window with the fewest requests left. */
final class RateLimit
{
    /**
     * @param int      $limit      requests that the window allows
     * @param int      $remaining  requests left in the window
     * @param int      $reset      Unix time in seconds at which the next request becomes available
     * @param int|null $retryAfter seconds to wait before the next request; null if the response has none
     */
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $reset,
        public readonly ?int $retryAfter,
    ) {
    }
}

/** How far a download is. */
final class DownloadProgress
{
    /**
     * @internal
     *
     * @param string $kind     one of Value\FileKind
     * @param int    $received bytes of the file that are on the disk
     * @param int    $bytes    of the whole file
     */
    public function __construct(
        public readonly string $kind,
        public readonly int $received,
        public readonly int $bytes,
    ) {
    }
}

/** How far an upload is. */
final class UploadProgress
{
    /**
     * @internal
     *
     * @param string $uploadId what uploads->resume() takes, also in a later process
     * @param int    $sent     bytes that the service has
     * @param int    $bytes    of the whole file
     */
    public function __construct(
        public readonly string $uploadId,
        public readonly int $sent,
        public readonly int $bytes,
    ) {
    }
}

/** A file of an order on the disk, whose bytes are those that the service lists. */
final class DownloadedFile
{
    /**
     * @internal
     *
     * @param string $kind     one of Value\FileKind
     * @param string $filename what the service calls it
     * @param int    $bytes    its size
     * @param string $sha256   of its bytes, in hex
     * @param string $path     where it is
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $filename,
        public readonly int $bytes,
        public readonly string $sha256,
        public readonly string $path,
    ) {
    }
}

/** A downloaded month of sales. */
final class SalesExport
{
    /**
     * @internal
     *
     * @param string $path the file, CSV with a header line
     */
    public function __construct(
        public readonly string $path,
        public readonly Response $response,
    ) {
    }
}

/** Beats by their ids, in that order. */
final class BeatBatch
{
    /**
     * @internal
     *
     * @param list<BeatDetail> $beats
     * @param list<int>        $missing ids that nobody has
     */
    public function __construct(public readonly array $beats, public readonly array $missing)
    {
    }
}

/**
 * A page of a feed, in the order of commits.
 *
 * @property-read int $next the position to go on from
 */
abstract class FeedPage extends Model
{
    public readonly ?Response $response;

    /** @internal use fromArray() */
    public function __construct(array $wire, ?Response $response = null)
    {
        parent::__construct($wire, $response);
        $this->response = $response;
    }
}
