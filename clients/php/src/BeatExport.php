<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Model\BeatDetail;

/**
 * A downloaded export. foreach reads its beats from the file, one at a time; needs ext-zlib.
 *
 * @implements \IteratorAggregate<int, BeatDetail>
 */
final class BeatExport implements \IteratorAggregate
{
    /**
     * @internal
     *
     * @param int $position the export has every change up to it: what changes->follow() goes on from
     */
    public function __construct(
        public readonly string $path,
        public readonly int $position,
        public readonly Response $response,
    ) {
    }

    /** @return \Generator<int, BeatDetail> */
    public function getIterator(): \Generator
    {
        $file = @gzopen($this->path, 'rb');
        if ($file === false) {
            throw new InvalidArgumentException("The file {$this->path} cannot be read.");
        }
        try {
            while (($line = gzgets($file)) !== false) {
                yield BeatDetail::fromArray(json_decode($line, true, flags: JSON_THROW_ON_ERROR));
            }
        } finally {
            gzclose($file);
        }
    }
}
