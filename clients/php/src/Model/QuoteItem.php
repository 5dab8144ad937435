<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A license of a quote, with its price.
 *
 * @property-read int         $beatId
 * @property-read string      $licenseType     One of Value\LicenseType, or a later value.
 * @property-read string      $title
 * @property-read string      $producerName
 * @property-read string|null $upgradesLicense The license that the item upgrades or renews; null for none.
 * @property-read float       $credit          What the license in `upgradesLicense` takes off the current price. At
 *                                             most two decimals.
 * @property-read float       $price           Today's price, less the credit. At most two decimals.
 * @property-read float       $discount        The sum of discounts. At most two decimals.
 * @property-read float       $amount          The amount to pay. At most two decimals.
 * @property-read int|null    $discountId      The discount that `discount` comes from.
 */
final class QuoteItem extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'licenseType' => ['license_type'],
        'title' => ['title'],
        'producerName' => ['producer_name'],
        'upgradesLicense' => ['upgrades_license'],
        'credit' => ['credit', 'float'],
        'price' => ['price', 'float'],
        'discount' => ['discount', 'float'],
        'amount' => ['amount', 'float'],
        'discountId' => ['discount_id'],
    ];
}
