<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
 */
enum LicenseType: string
{
    case Basic = 'basic';
    case Premium = 'premium';
    case Unlimited = 'unlimited';
    case Exclusive = 'exclusive';

    public const BASIC = 'basic';
    public const PREMIUM = 'premium';
    public const UNLIMITED = 'unlimited';
    public const EXCLUSIVE = 'exclusive';
}
