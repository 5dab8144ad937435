<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Whether a license is valid. */
final class LicenseStatus
{
    public const VALID = 'valid';
    public const REFUNDED = 'refunded';
}
