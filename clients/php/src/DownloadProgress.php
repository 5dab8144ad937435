<?php

declare(strict_types=1);

namespace BeatMarket;

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
