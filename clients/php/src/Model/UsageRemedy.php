<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The license to buy for more of the use.
 *
 * @property-read string $licenseType
 * @property-read float  $price       The price of the upgrade today.
 * @property-read string $currency    The currency, by ISO 4217.
 */
final class UsageRemedy extends Model
{
    public const FIELDS = [
        'licenseType' => ['license_type'],
        'price' => ['price', 'float'],
        'currency' => ['currency'],
    ];
}
