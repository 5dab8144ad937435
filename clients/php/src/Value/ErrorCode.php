<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Error codes. The API may add values. */
final class ErrorCode
{
    public const INVALID_REQUEST = 'invalid_request';
    public const UNAUTHORIZED = 'unauthorized';
    public const FORBIDDEN = 'forbidden';
    public const NOT_FOUND = 'not_found';
    public const RATE_LIMIT_EXCEEDED = 'rate_limit_exceeded';
    public const SERVER_ERROR = 'server_error';
}
