<?php

declare(strict_types=1);

namespace BeatMarket;

/** What the service said about the key's limits: the window with the fewest requests left. */
final class RateLimit
{
    /**
     * @param int      $limit      requests that the window allows
     * @param int      $remaining  requests left in it
     * @param int      $reset      Unix time in seconds at which it next frees a request
     * @param int|null $retryAfter whole seconds after which a request will be admitted; null unless the answer said so
     */
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $reset,
        public readonly ?int $retryAfter,
    ) {
    }
}
