<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;

/** @internal Decides whether and when to retry. */
final class Retries
{
    // 423: another request sends bytes of the upload; 460: a part was damaged on its way.
    private const STATUSES = [408, 423, 429, 460, 500, 502, 503, 504];
    private const LEAST_OF_TRANSFERS = 5;
    private const FIRST_BACKOFF_SECONDS = 0.5;
    private const LONGEST_BACKOFF_SECONDS = 8.0;

    /** @param int $maxRetryAfter maximum Retry-After to follow, in seconds */
    public function __construct(public readonly int $max, public readonly int $maxRetryAfter)
    {
        if ($max < 0 || $maxRetryAfter < 0) {
            throw new InvalidArgumentException('maxRetries and maxRetryAfter must not be negative.');
        }
    }

    /** The retries of a feed's page: waits as long as the service asks; after the first page, retries without limit. */
    public function following(bool $isFirst): self
    {
        return new self($isFirst ? $this->max : PHP_INT_MAX, PHP_INT_MAX);
    }

    /** The retries of an upload or a download: enough to outlive a restart of the service and a change of network. */
    public function transferring(): self
    {
        return new self($this->max === 0 ? 0 : max($this->max, self::LEAST_OF_TRANSFERS), $this->maxRetryAfter);
    }

    /** No retries, for one attempt of a transfer that is retried as a whole. */
    public function none(): self
    {
        return new self(0, $this->maxRetryAfter);
    }

    /** Seconds to wait after an attempt that failed after this number of retries; null to give up. */
    public function waitAfter(APIStatusException|APIConnectionException $error, int $retry): ?float
    {
        $retryAfter = $error instanceof APIStatusException ? $error->retryAfter : null;
        $isPassing = match (true) {
            $error instanceof APIConnectionException => $error->isRetryable,
            // With Retry-After: an order with the same idempotency key is in progress. Any other 409 is permanent.
            $error->status === 409 => $retryAfter !== null,
            default => in_array($error->status, self::STATUSES, true),
        };
        if (!$isPassing || $retry >= $this->max || $retryAfter > $this->maxRetryAfter) {
            return null;
        }
        $backoff = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_BACKOFF_SECONDS * 2 ** min($retry, 10));

        return (float) ($retryAfter ?? $backoff * random_int(500, 1000) / 1000);
    }
}
