<?php

declare(strict_types=1);

namespace BeatMarket;

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
