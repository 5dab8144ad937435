<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The usage that the holder of a license has reported.
 *
 * @property-read string            $licenseId
 * @property-read list<UsageReport> $reports   By use, period and source.
 * @property-read list<UsageSum>    $sums      One for each use.
 */
final class LicenseUsage extends Model
{
    public const FIELDS = [
        'licenseId' => ['license_id'],
        'reports' => ['reports', [UsageReport::class]],
        'sums' => ['sums', [UsageSum::class]],
    ];
}
