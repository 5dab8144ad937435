<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`PayoutStatus::PENDING`), or convert one with `PayoutStatus::tryFrom($string)`.
 */
enum PayoutStatus: string
{
    case Pending = 'pending';
    case Sent = 'sent';
    case Paid = 'paid';
    case Failed = 'failed';

    public const PENDING = 'pending';
    public const SENT = 'sent';
    public const PAID = 'paid';
    public const FAILED = 'failed';
}
