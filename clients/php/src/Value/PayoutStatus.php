<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
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
