<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The report that the usage of a license has reached 80 or 100 percent of a limit.
 *
 * @property-read string           $licenseId
 * @property-read int              $orderId
 * @property-read int              $beatId
 * @property-read string           $title
 * @property-read string           $licenseType
 * @property-read string           $use         What is counted: streams, copies or videos. One of Value\CountedUse, or
 *                                              a later value.
 * @property-read int              $percent     The percentage of the limit that the usage has reached: 80 or 100.
 * @property-read int              $used
 * @property-read int              $limit
 * @property-read UsageRemedy|null $remedy      The license with a higher limit. Null if none is for sale.
 */
final class LicenseUsageReached extends Model
{
    public const FIELDS = [
        'licenseId' => ['license_id'],
        'orderId' => ['order_id'],
        'beatId' => ['beat_id'],
        'title' => ['title'],
        'licenseType' => ['license_type'],
        'use' => ['use'],
        'percent' => ['percent'],
        'used' => ['used'],
        'limit' => ['limit'],
        'remedy' => ['remedy', UsageRemedy::class],
    ];
}
