<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
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
