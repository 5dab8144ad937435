<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What to buy for a yes.
 *
 * @property-read string|null $upgrade    The higher license to buy; null if `renew` is the remedy. One of
 *                                        Value\LicenseType, or a later value.
 * @property-read string|null $renew      The same license to buy again; null if `upgrade` is the remedy. One of
 *                                        Value\LicenseType, or a later value.
 * @property-read float       $price      Its price today, before discounts; with the holder's key, the difference of an
 *                                        upgrade.
 * @property-read string      $currency
 * @property-read string|null $validUntil The last day of the license that is bought today; null without an end.
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
