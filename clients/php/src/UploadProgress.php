<?php

declare(strict_types=1);

namespace BeatMarket;

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
