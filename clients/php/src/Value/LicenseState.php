<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
 */
enum LicenseState: string
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
