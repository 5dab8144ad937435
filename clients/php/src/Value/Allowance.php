<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`Allowance::YES`), or convert one with `Allowance::tryFrom($string)`.
 */
enum Allowance: string
{
    case Yes = 'yes';
    case No = 'no';
    case Unknown = 'unknown';

    public const YES = 'yes';
    public const NO = 'no';
    public const UNKNOWN = 'unknown';
}
