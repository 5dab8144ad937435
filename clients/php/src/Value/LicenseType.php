<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. You may pass an enum case or a string. Responses contain strings, because the API may add values
 * later: compare them with the constants (`LicenseType::BASIC`), or convert one with `LicenseType::tryFrom($string)`.
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
