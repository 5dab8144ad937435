<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Limits of a license that its producer changed.
 *
 * @property-read int|null $copies
 * @property-read int|null $streams
 * @property-read int|null $videos
 * @property-read int|null $radioStations
 * @property-read int|null $paidPerformances
 * @property-read int|null $years
 */
final class LicenseLimits extends Model
{
    public const FIELDS = [
        'copies' => ['copies'],
        'streams' => ['streams'],
        'videos' => ['videos'],
        'radioStations' => ['radio_stations'],
        'paidPerformances' => ['paid_performances'],
        'years' => ['years'],
    ];
}
