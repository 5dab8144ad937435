<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/**
 * Decides whether and when to retry.
 *
 * @internal
 */
final class Retries
{
    private const STATUSES = [408, 429, 500, 502, 503, 504];
    private const FIRST_BACKOFF_SECONDS = 0.5;
    private const LONGEST_BACKOFF_SECONDS = 8.0;

    /**
     * @param int $max           attempts after the first
     * @param int $maxRetryAfter maximum Retry-After to follow, in seconds
     *
     * @throws InvalidArgumentException when one is negative
     */
    public function __construct(public readonly int $max, public readonly int $maxRetryAfter)
    {
        if ($max < 0 || $maxRetryAfter < 0) {
            throw new InvalidArgumentException('maxRetries and maxRetryAfter must not be negative.');
        }
    }

    /** For a page of a stream: waits as long as the service asks; after the first page, retries without end. */
    public function following(bool $isFirst): self
    {
        return new self($isFirst ? $this->max : PHP_INT_MAX, PHP_INT_MAX);
    }

    /**
     * Seconds to wait after a failed attempt without a response; null to give up.
     *
     * @param int $retry number of retries so far
     */
    public function wait(int $retry): ?float
    {
        return $retry < $this->max ? self::backoff($retry) : null;
    }

    /**
     * Seconds to wait after an error response; null to give up.
     *
     * @param int $retry number of retries so far
     */
    public function waitAfter(Response $response, int $retry): ?float
    {
        $retryAfter = RetryAfter::seconds($response, time());
        // 409 with Retry-After: an order with the same idempotency key is in progress. Any other 409 is permanent.
        $isPassing = in_array($response->status, self::STATUSES, true) || ($response->status === 409 && $retryAfter !== null);
        if (!$isPassing || $retry >= $this->max || ($retryAfter ?? 0) > $this->maxRetryAfter) {
            return null;
        }

        return $retryAfter === null ? self::backoff($retry) : (float) $retryAfter;
    }

    /** Exponential backoff: 0.5 s, doubled with each retry up to 8 s, times a random factor from 0.5 to 1. */
    private static function backoff(int $retry): float
    {
        $seconds = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_BACKOFF_SECONDS * 2 ** min($retry, 10));

        return $seconds * random_int(500, 1000) / 1000;
    }
}
