<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
 */
enum NextActionType: string
{
    case Redirect = 'redirect';

    public const REDIRECT = 'redirect';
}
