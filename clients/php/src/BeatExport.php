<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Download;
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
    /** The export has every change up to this position. Continue from it with changes->follow(). */
    public readonly int $position;

    /** @param \Generator<int, string, void, Response>|null $stream the bytes of a streamed export; null to read the file */
    private function __construct(
        public readonly ?string $path,
        public readonly Response $response,
        private ?\Generator $stream = null,
    ) {
        $position = $response->header('x-change-position') ?? '';
        if (!ctype_digit($position)) {
            throw new APIConnectionException('The response is not an export: it has no X-Change-Position.', isRetryable: false);
        }
        $this->position = (int) $position;
    }

    /** @internal Downloads into the file or, with null, as a stream. */
    public static function take(Connection $connection, ?string $path): self
    {
        $call = new Call(Operation::ExportBeats);
        if ($path !== null) {
            return new self($path, $connection->save($call, $path));
        }
        $download = new Download();
        $bytes = $download->read(static fn (): Response => $connection->send($call, download: $download));
        $bytes->valid(); // Waits for the first bytes.

        return new self(null, $download->begun ?? $bytes->getReturn(), $bytes);
    }

    /** @return \Generator<int, BeatDetail> */
    public function getIterator(): \Generator
    {
        $inflate = inflate_init(ZLIB_ENCODING_GZIP) ?: throw new InvalidArgumentException('ext-zlib cannot read gzip.');
        $rest = '';
        foreach ($this->bytes() as $bytes) {
            $text = @inflate_add($inflate, $bytes);
            if ($text === false) {
                throw new InvalidArgumentException('The export is not a gzip file: take it again.');
            }
            $lines = explode("\n", $rest . $text);
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                yield BeatDetail::fromArray((array) Json::decode($line));
            }
        }
        if (inflate_get_status($inflate) !== ZLIB_STREAM_END) {
            throw new InvalidArgumentException('The export ends too early: take it again.');
        }
    }

    /** @return \Generator<int, string, void, mixed> */
    private function bytes(): \Generator
    {
        if ($this->path === null) {
            [$stream, $this->stream] = [$this->stream, null];

            return yield from $stream ?? throw new InvalidArgumentException(
                'A stream is read once: take an export into a file to read it again.',
            );
        }
        $file = @fopen($this->path, 'rb') ?: throw new InvalidArgumentException("The file {$this->path} cannot be read.");
        while (is_string($bytes = fread($file, 65_536)) && $bytes !== '') {
            yield $bytes;
        }
    }
}
