<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class LicenseStatus
{
    public const VALID = 'valid';
    public const EXPIRED = 'expired';
    public const REFUNDED = 'refunded';
    public const REPLACED = 'replaced';
}
