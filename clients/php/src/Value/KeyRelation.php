<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`KeyRelation::SAME`), or convert one with `KeyRelation::tryFrom($string)`.
 */
enum KeyRelation: string
{
    case Same = 'same';
    case Relative = 'relative';
    case Adjacent = 'adjacent';
    case Other = 'other';

    public const SAME = 'same';
    public const RELATIVE = 'relative';
    public const ADJACENT = 'adjacent';
    public const OTHER = 'other';
}
