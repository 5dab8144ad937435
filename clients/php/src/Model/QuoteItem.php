<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A license of a quote, with its price.
 *
 * @property-read int      $beatId
 * @property-read string   $licenseType  One of Value\LicenseType, or a later value.
 * @property-read string   $title
 * @property-read string   $producerName
 * @property-read float    $price        Today's price. At most two decimals.
 * @property-read float    $discount     What is taken off. At most two decimals.
 * @property-read float    $amount       What is to be paid. At most two decimals.
 * @property-read int|null $discountId   The discount that takes it off.
 */
final class QuoteItem extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'licenseType' => ['license_type'],
        'title' => ['title'],
        'producerName' => ['producer_name'],
        'price' => ['price', 'float'],
        'discount' => ['discount', 'float'],
        'amount' => ['amount', 'float'],
        'discountId' => ['discount_id'],
    ];
}
