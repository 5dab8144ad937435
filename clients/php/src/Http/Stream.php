<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/**
 * The body of a response, read while it arrives. The request stands still, in a fiber, while nobody reads.
 *
 * @internal
 *
 * @implements \IteratorAggregate<int, string>
 */
final class Stream implements \IteratorAggregate
{
    public readonly Response $response;

    /** @var \Fiber<void, void, Response, string> */
    private readonly \Fiber $fiber;

    private bool $isRead = false;
    private readonly ?string $first;

    /** @param \Closure(Download): Response $fetch */
    public function __construct(\Closure $fetch)
    {
        $download = new Download(static function (string $bytes, int $offset): void {
            static $read = 0;
            if ($offset < $read) {
                throw new APIConnectionException('The content changed while it was read: begin again.', isRetryable: false);
            }
            $read = $offset + strlen($bytes);
            \Fiber::suspend($bytes);
        });
        $this->fiber = new \Fiber(static fn (): Response => $fetch($download));
        $this->first = $this->fiber->start();
        $this->response = $download->begun ?? $this->fiber->getReturn();
    }

    /** @return \Generator<int, string> */
    public function getIterator(): \Generator
    {
        if ($this->isRead) {
            throw new InvalidArgumentException('A stream is read once: take an export into a file to read it again.');
        }
        $this->isRead = true;
        for ($bytes = $this->first; !$this->fiber->isTerminated(); $bytes = $this->fiber->resume()) {
            yield (string) $bytes;
        }
    }
}
