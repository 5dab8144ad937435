<?php

declare(strict_types=1);

namespace BeatMarket;

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
