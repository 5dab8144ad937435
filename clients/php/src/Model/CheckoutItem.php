<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A license that a checkout buys.
 *
 * @property-read int         $beatId
 * @property-read string      $licenseType     One of Value\LicenseType, or a later value.
 * @property-read string      $title
 * @property-read string      $producerName
 * @property-read string|null $upgradesLicense The license that the item upgrades or renews. Null if it does neither.
 * @property-read float       $credit          The credit for the license in `upgradesLicense`, which is subtracted from
 *                                             the current price. At most two decimals.
 * @property-read float       $discount        The amount of the item's discount, with at most two decimals.
 * @property-read float       $amount          The price at the time of the checkout, less credit and discount. At most
 *                                             two decimals.
 */
final class CheckoutItem extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'licenseType' => ['license_type'],
        'title' => ['title'],
        'producerName' => ['producer_name'],
        'upgradesLicense' => ['upgrades_license'],
        'credit' => ['credit', 'float'],
        'discount' => ['discount', 'float'],
        'amount' => ['amount', 'float'],
    ];
}
