<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Which licenses of a beat are sold, and with which limits.
 *
 * @property-read LicenseSetting $basic
 * @property-read LicenseSetting $premium
 * @property-read LicenseSetting $unlimited
 * @property-read LicenseSetting $exclusive
 */
final class LicenseSettings extends Model
{
    public const FIELDS = [
        'basic' => ['basic', LicenseSetting::class],
        'premium' => ['premium', LicenseSetting::class],
        'unlimited' => ['unlimited', LicenseSetting::class],
        'exclusive' => ['exclusive', LicenseSetting::class],
    ];
}
