<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A license that was upgraded or renewed.
 *
 * @property-read int    $orderId
 * @property-read int    $beatId
 * @property-read string $title
 * @property-read int    $producerId
 * @property-read string $producerName
 * @property-read string $licenseType       One of Value\LicenseType, or a later value.
 * @property-read float  $amount            The price of the license, with at most two decimals.
 * @property-read string $currency          The currency, by ISO 4217.
 * @property-read int    $purchaserId
 * @property-read string $replacedLicenseId The license that the new one replaces.
 */
final class LicenseUpgrade extends Model
{
    public const FIELDS = [
        'orderId' => ['order_id'],
        'beatId' => ['beat_id'],
        'title' => ['title'],
        'producerId' => ['producer_id'],
        'producerName' => ['producer_name'],
        'licenseType' => ['license_type'],
        'amount' => ['amount', 'float'],
        'currency' => ['currency'],
        'purchaserId' => ['purchaser_id'],
        'replacedLicenseId' => ['replaced_license_id'],
    ];
}
