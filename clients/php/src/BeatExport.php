<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\Json;
use BeatMarket\Model\BeatDetail;

/**
 * An export of all beats. foreach reads them one at a time: from the file as often as you like, from a stream once. Needs
 * ext-zlib.
 *
 * @implements \IteratorAggregate<int, BeatDetail>
 */
final class BeatExport implements \IteratorAggregate
{
    /** The export has every change up to it: what changes->follow() goes on from. */
    public readonly int $position;

    /**
     * @internal
     *
     * @param string|null                         $path   null for a stream
     * @param \Closure(): iterable<mixed, string> $chunks the bytes of the file
     */
    public function __construct(
        public readonly ?string $path,
        public readonly Response $response,
        private readonly \Closure $chunks,
    ) {
        $position = $response->header('x-change-position') ?? '';
        if (!ctype_digit($position)) {
            throw new APIConnectionException('The response is no export: it has no X-Change-Position.', isRetryable: false);
        }
        $this->position = (int) $position;
    }

    /** @return \Generator<int, BeatDetail> */
    public function getIterator(): \Generator
    {
        $rest = '';
        foreach ($this->inflated() as $bytes) {
            $lines = explode("\n", $rest . $bytes);
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                yield BeatDetail::fromArray((array) Json::decode($line));
            }
        }
    }

    /** @return \Generator<int, string> */
    private function inflated(): \Generator
    {
        $inflate = inflate_init(ZLIB_ENCODING_GZIP);
        foreach (($this->chunks)() as $chunk) {
            $bytes = $inflate === false ? false : @inflate_add($inflate, $chunk);
            yield is_string($bytes) ? $bytes : throw new InvalidArgumentException(
                'The export is no gzip: take it again.',
            );
        }
        if ($inflate !== false && inflate_get_status($inflate) !== ZLIB_STREAM_END) {
            throw new InvalidArgumentException('The export ends too early: take it again.');
        }
    }
}
