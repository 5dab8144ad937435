<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The usage of a license, as its holder has reported it.
 *
 * @property-read string            $licenseId
 * @property-read list<UsageReport> $reports   The reports, ordered by use, period and source.
 * @property-read list<UsageSum>    $sums      The sums, one for each use.
 */
final class LicenseUsage extends Model
{
    public const FIELDS = [
        'licenseId' => ['license_id'],
        'reports' => ['reports', [UsageReport::class]],
        'sums' => ['sums', [UsageSum::class]],
    ];
}
