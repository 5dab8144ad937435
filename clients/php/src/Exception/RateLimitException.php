<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 429: rate limit exceeded. retryAfter has the seconds to wait. */
final class RateLimitException extends APIStatusException
{
}
