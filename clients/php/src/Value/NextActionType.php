<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`NextActionType::REDIRECT`), or convert one with `NextActionType::tryFrom($string)`.
 */
enum NextActionType: string
{
    case Redirect = 'redirect';

    public const REDIRECT = 'redirect';
}
