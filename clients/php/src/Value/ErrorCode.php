<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

use BeatMarket\Exception\AuthenticationException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\PermissionDeniedException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Exception\ServerException;

/** The known error codes; the API may add others. */
final class ErrorCode
{
    public const INVALID_REQUEST = 'invalid_request';
    public const UNAUTHORIZED = 'unauthorized';
    public const FORBIDDEN = 'forbidden';
    public const NOT_FOUND = 'not_found';
    public const RATE_LIMIT_EXCEEDED = 'rate_limit_exceeded';
    public const SERVER_ERROR = 'server_error';

    /** @internal */
    public const EXCEPTIONS = [
        self::INVALID_REQUEST => InvalidRequestException::class,
        self::UNAUTHORIZED => AuthenticationException::class,
        self::FORBIDDEN => PermissionDeniedException::class,
        self::NOT_FOUND => NotFoundException::class,
        self::RATE_LIMIT_EXCEEDED => RateLimitException::class,
        self::SERVER_ERROR => ServerException::class,
    ];
}
