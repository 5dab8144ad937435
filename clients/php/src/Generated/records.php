<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Model\BeatDetail;

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

/** Beats by their ids, in that order. */
final class BeatBatch
{
    /**
     * @internal
     *
     * @param list<BeatDetail> $beats
     * @param list<int>        $missing ids without a beat
     */
    public function __construct(
        public readonly array $beats,
        public readonly array $missing,
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

/** A file of an order on the disk, whose bytes are those that the service lists. */
final class DownloadedFile
{
    /**
     * @internal
     *
     * @param string $kind     one of Value\FileKind
     * @param string $filename what the service calls it
     * @param int    $bytes    the size
     * @param string $sha256   of the bytes, in hex
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

/** A downloaded ZIP of all files of an order. */
final class OrderArchive
{
    /**
     * @internal
     *
     * @param string $path the file, a ZIP
     */
    public function __construct(
        public readonly string $path,
        public readonly Response $response,
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
