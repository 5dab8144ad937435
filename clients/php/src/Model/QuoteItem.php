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
 * @property-read string|null $upgradesLicense The license that the item upgrades or renews. Null if it does neither.
 * @property-read float       $credit          The credit for the license in `upgradesLicense`, which is subtracted from
 *                                             the current price. At most two decimals.
 * @property-read float       $price           Today's price, less the credit. At most two decimals.
 * @property-read float       $discount        The amount of the discount, with at most two decimals.
 * @property-read float       $amount          The amount to pay, with at most two decimals.
 * @property-read int|null    $discountId      The discount that reduces the price. Null if no discount applies.
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
