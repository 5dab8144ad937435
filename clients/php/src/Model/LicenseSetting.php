<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Whether a license is sold, its price, and its limits.
 *
 * @property-read bool          $sold
 * @property-read float         $price  The price, also of a license that is not sold.
 * @property-read LicenseLimits $limits The limits that the producer changed.
 */
final class LicenseSetting extends Model
{
    public const FIELDS = [
        'sold' => ['sold'],
        'price' => ['price', 'float'],
        'limits' => ['limits', LicenseLimits::class],
    ];
}
