<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
 */
enum CheckoutStatus: string
{
    case Open = 'open';
    case Completed = 'completed';
    case Expired = 'expired';
    case Cancelled = 'cancelled';

    public const OPEN = 'open';
    public const COMPLETED = 'completed';
    public const EXPIRED = 'expired';
    public const CANCELLED = 'cancelled';
}
