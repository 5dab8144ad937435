<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
 */
enum DiscountKind: string
{
    case Percent = 'percent';
    case Amount = 'amount';
    case Pack = 'pack';
    case Ownership = 'ownership';

    public const PERCENT = 'percent';
    public const AMOUNT = 'amount';
    public const PACK = 'pack';
    public const OWNERSHIP = 'ownership';
}
