<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class DiscountKind
{
    public const PERCENT = 'percent';
    public const AMOUNT = 'amount';
    public const PACK = 'pack';
    public const OWNERSHIP = 'ownership';
}
