<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/**
 * Decides whether to try again, and when.
 *
 * @internal
 */
final class Retries
{
    private const STATUSES = [408, 429, 500, 502, 503, 504];
    private const FIRST_BACKOFF_SECONDS = 0.5;
    private const LONGEST_BACKOFF_SECONDS = 8.0;

    /**
     * @param int $max           tries after the first one
     * @param int $maxRetryAfter the longest wait, in seconds, asked for by the service that is obeyed
     *
     * @throws InvalidArgumentException when one is negative
     */
    public function __construct(public readonly int $max, public readonly int $maxRetryAfter)
    {
        if ($max < 0 || $maxRetryAfter < 0) {
            throw new InvalidArgumentException('maxRetries and maxRetryAfter must not be negative.');
        }
    }

    /**
     * Seconds to wait when no answer came; null when there is no next try.
     *
     * @param int $retry how many there have been
     */
    public function wait(int $retry): ?float
    {
        return $retry < $this->max ? self::backoff($retry) : null;
    }

    /**
     * Seconds to wait after an answer that is no success; null when there is no next try.
     *
     * @param int $retry how many there have been
     */
    public function waitAfter(Response $response, int $retry): ?float
    {
        $told = RetryAfter::seconds($response, time());
        // An order of the same idempotency key that still runs is 409 with Retry-After; any other 409 stays one.
        $isPassing = in_array($response->status, self::STATUSES, true) || ($response->status === 409 && $told !== null);
        if (!$isPassing || $retry >= $this->max || ($told ?? 0) > $this->maxRetryAfter) {
            return null;
        }

        return $told === null ? self::backoff($retry) : (float) $told;
    }

    /** 0.5 s, doubled with each retry up to 8 s, of which a random part between half and the whole is waited. */
    private static function backoff(int $retry): float
    {
        $seconds = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_BACKOFF_SECONDS * 2 ** min($retry, 10));

        return $seconds * random_int(500, 1000) / 1000;
    }
}
