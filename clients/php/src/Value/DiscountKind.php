<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`DiscountKind::PERCENT`), or convert one with `DiscountKind::tryFrom($string)`.
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
