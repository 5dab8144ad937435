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
 * @property-read string|null $upgradesLicense The license that the item upgrades or renews; null for none.
 * @property-read float       $credit          What the license in `upgradesLicense` takes off the current price. At
 *                                             most two decimals.
 * @property-read float       $discount        The part of its price that discounts take off. At most two decimals.
 * @property-read float       $amount          The price when the checkout was made, less credit and discount. At most
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
