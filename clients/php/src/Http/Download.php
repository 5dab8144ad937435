<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Response;

/**
 * Takes the body of a response in order, over as many attempts as it needs: each goes on where the one before broke, if the
 * service still has the same content, and else begins again.
 *
 * @internal
 */
class Download
{
    /** The last response with a body for this; its own body is empty. */
    public ?Response $begun = null;

    private ?string $etag = null;
    private int $furthest;

    /** How many bytes of the response are here already. */
    private int $overlap = 0;

    /**
     * @param \Closure(string, int): void $write       takes bytes and their offset, which is 0 again when the content begins again
     * @param int                         $offset      how many bytes there are
     * @param bool                        $isImmutable whether the content never changes, so that a range needs no condition
     */
    public function __construct(
        private readonly \Closure $write,
        private int $offset = 0,
        private readonly bool $isImmutable = false,
    ) {
        $this->furthest = $offset;
    }

    /** Whose bytes are read while they arrive. */
    public static function inFiber(): self
    {
        $end = 0;

        return new self(static function (string $bytes, int $offset) use (&$end): void {
            if ($offset < $end) {
                throw new APIConnectionException('The content changed while it was read: begin again.', isRetryable: false);
            }
            $end = $offset + strlen($bytes);
            \Fiber::suspend($bytes);
        });
    }

    /**
     * The bytes, of which each suspends the request until the next is asked for.
     *
     * @param \Closure(): Response $fetch
     *
     * @return \Generator<int, string, void, Response>
     */
    public function read(\Closure $fetch): \Generator
    {
        $fiber = new \Fiber($fetch);
        for ($bytes = $fiber->start(); !$fiber->isTerminated(); $bytes = $fiber->resume()) {
            yield (string) $bytes;
        }

        return $fiber->getReturn();
    }

    /**
     * Asks for the rest. Of content whose end is unknown from the last byte that came, since a range may not be empty.
     *
     * @return array<string, string>
     */
    public function headers(): array
    {
        return match (true) {
            $this->offset === 0 => [],
            $this->isImmutable => ['Range' => "bytes={$this->offset}-"],
            $this->etag === null => [],
            default => ['Range' => 'bytes=' . ($this->offset - 1) . '-', 'If-Range' => $this->etag],
        };
    }

    /** Whether this response, whose body is still to come, has one for this. */
    public function begin(Response $response): bool
    {
        $status = $response->status;
        if ($status !== 200 && $status !== 206) {
            return false;
        }
        $this->overlap = $status === 206 && !$this->isImmutable ? 1 : 0;
        $from = $status === 206 ? $this->offset - $this->overlap : 0;
        $range = $response->header('content-range') ?? '';
        if ($status === 206 && !str_starts_with($range, "bytes {$from}-")) {
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
            ($this->write)($bytes, $this->offset);
            $this->offset += strlen($bytes);
        }
    }

    /** Whether it got further than at the last call: then the attempts are counted again. */
    public function hasAdvanced(): bool
    {
        $before = $this->furthest;
        $this->furthest = max($before, $this->offset);

        return $this->furthest > $before;
    }
}
