<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

use BeatMarket\Exception\AuthenticationException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\PermissionDeniedException;
use BeatMarket\Exception\PreconditionFailedException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Exception\ServerException;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`ErrorCode::INVALID_REQUEST`), or convert one with `ErrorCode::tryFrom($string)`.
 */
enum ErrorCode: string
{
    case InvalidRequest = 'invalid_request';
    case Unauthorized = 'unauthorized';
    case Forbidden = 'forbidden';
    case NotFound = 'not_found';
    case RateLimitExceeded = 'rate_limit_exceeded';
    case ServerError = 'server_error';

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

    /** @internal */
    public const EXCEPTIONS_BY_STATUS = [
        400 => InvalidRequestException::class,
        401 => AuthenticationException::class,
        403 => PermissionDeniedException::class,
        404 => NotFoundException::class,
        410 => GoneException::class,
        412 => PreconditionFailedException::class,
        429 => RateLimitException::class,
    ];
}
