<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`LicenseStatus::VALID`), or convert one with `LicenseStatus::tryFrom($string)`.
 */
enum LicenseStatus: string
{
    case Valid = 'valid';
    case Expired = 'expired';
    case Refunded = 'refunded';
    case Replaced = 'replaced';

    public const VALID = 'valid';
    public const EXPIRED = 'expired';
    public const REFUNDED = 'refunded';
    public const REPLACED = 'replaced';
}
