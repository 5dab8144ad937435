<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 429: too many requests. retryAfter says when one will be admitted. */
final class RateLimitException extends APIStatusException
{
}
