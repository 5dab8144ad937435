<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What to buy so that the use is allowed.
 *
 * @property-read string|null $upgrade    The higher license to buy. Null if `renew` is the remedy. One of
 *                                        Value\LicenseType, or a later value.
 * @property-read string|null $renew      The same license, to be bought again. Null if `upgrade` is the remedy. One of
 *                                        Value\LicenseType, or a later value.
 * @property-read float       $price      The price today, before discounts. With the holder's key: the difference of an
 *                                        upgrade.
 * @property-read string      $currency
 * @property-read string|null $validUntil The last day of the license if it is bought today. Null if it has no end.
 */
final class LicenseRemedy extends Model
{
    public const FIELDS = [
        'upgrade' => ['upgrade'],
        'renew' => ['renew'],
        'price' => ['price', 'float'],
        'currency' => ['currency'],
        'validUntil' => ['valid_until'],
    ];
}
