<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A license that a checkout buys.
 *
 * @property-read int    $beatId
 * @property-read string $licenseType  One of Value\LicenseType, or a later value.
 * @property-read string $title
 * @property-read string $producerName
 * @property-read float  $discount     What discounts take off its price. At most two decimals.
 * @property-read float  $amount       The price when the checkout was made, less the discount. At most two decimals.
 */
final class CheckoutItem extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'licenseType' => ['license_type'],
        'title' => ['title'],
        'producerName' => ['producer_name'],
        'discount' => ['discount', 'float'],
        'amount' => ['amount', 'float'],
    ];
}
