<?php

declare(strict_types=1);

namespace BeatMarket;

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
