<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. You may pass an enum case or a string. Responses contain strings, because the API may add values
 * later: compare them with the constants (`OrderStatus::COMPLETED`), or convert one with
 * `OrderStatus::tryFrom($string)`.
 */
enum OrderStatus: string
{
    case Completed = 'completed';
    case Pending = 'pending';
    case Failed = 'failed';

    public const COMPLETED = 'completed';
    public const PENDING = 'pending';
    public const FAILED = 'failed';
}
