<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Response;

/**
 * @internal Takes the body of a response in order, over as many attempts as it needs. If the service still has the
 *           same content, an attempt continues where the previous one broke; otherwise it begins again.
 */
class Download
{
    public const QUIET_SECONDS = 0; // The minimum of the timeout for the next bytes.
    protected const IS_IMMUTABLE = false; // If true, the content never changes, so a range needs no condition.

    public ?Response $begun = null; // The last response whose body this download took, without that body.
    protected int $offset = 0; // The number of received bytes of the content.
    protected int $end = -1; // Where the last bytes ended; -1 before the first.
    private int $overlap = 0; // The number of bytes at the start of the response that were received before.
    private ?string $etag = null;

    /**
     * @param \Closure(): Response $fetch
     * @return \Generator<int, string, void, Response> the bytes; the request pauses after each chunk until the next one is read
     */
    public function read(\Closure $fetch): \Generator
    {
        $fiber = new \Fiber($fetch);
        for ($bytes = $fiber->start(); !$fiber->isTerminated(); $bytes = $fiber->resume()) {
            yield (string) $bytes;
        }

        return $fiber->getReturn();
    }

    /** @return array<string, string> headers that request the rest; unless IS_IMMUTABLE, with the last received byte */
    public function headers(): array
    {
        return match (true) {
            $this->offset === 0 => [],
            static::IS_IMMUTABLE => ['Range' => "bytes={$this->offset}-"],
            $this->etag === null => [],
            default => ['Range' => 'bytes=' . ($this->offset - 1) . '-', 'If-Range' => $this->etag],
        };
    }

    /** Whether this download takes the body of this response, which is not read yet. */
    public function begin(Response $response): bool
    {
        $isRest = $response->status === 206;
        if ($response->status !== 200 && !$isRest) {
            return false;
        }
        $this->overlap = $isRest && !static::IS_IMMUTABLE ? 1 : 0;
        $from = $isRest ? $this->offset - $this->overlap : 0;
        $range = $response->header('content-range') ?? '';
        if ($isRest && !str_starts_with($range, "bytes {$from}-")) {
            throw new APIConnectionException("The service sends the range \"{$range}\" instead of the bytes from {$from}.");
        }
        $this->offset = $from + $this->overlap;
        $this->etag = $response->etag;
        $this->begun = $response;

        return true;
    }

    public function write(string $bytes): void
    {
        $bytes = substr($bytes, $this->overlap);
        $this->overlap = 0;
        if ($bytes !== '') {
            $this->take($bytes);
            $this->offset += strlen($bytes);
        }
    }

    /** Takes the bytes after the offset, which is 0 again when the content begins again. */
    protected function take(string $bytes): void
    {
        if ($this->offset < $this->end) {
            throw new APIConnectionException('The content changed while it was read: begin again.', isRetryable: false);
        }
        $this->end = $this->offset + strlen($bytes);
        \Fiber::suspend($bytes);
    }

    /** The number of received bytes. */
    public function reached(): int
    {
        return $this->offset;
    }
}
