<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A license of a beat and its price.
 *
 * @property-read string $type      One of Value\LicenseType, or a later value.
 * @property-read float  $price
 * @property-read bool   $available Whether the license can be bought now. False for every license while the exclusive
 *                                  one is being bought, and after it is sold.
 */
final class License extends Model
{
    public const FIELDS = [
        'type' => ['type'],
        'price' => ['price', 'float'],
        'available' => ['available'],
    ];
}
