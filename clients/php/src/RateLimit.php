<?php

declare(strict_types=1);

namespace BeatMarket;

/** The rate limit of the key: the window with the fewest requests left. */
final class RateLimit
{
    /**
     * @param int      $limit      requests that the window allows
     * @param int      $remaining  requests left in the window
     * @param int      $reset      Unix time in seconds at which the next request becomes available
     * @param int|null $retryAfter seconds to wait before the next request; null if the response has none
     */
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $reset,
        public readonly ?int $retryAfter,
    ) {
    }
}
