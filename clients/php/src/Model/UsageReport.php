<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How much of a use a source counted in a month.
 *
 * @property-read string $use      What is counted: streams, copies or videos. One of Value\CountedUse, or a later
 *                                 value.
 * @property-read int    $quantity The number of streams, copies or videos in the period.
 * @property-read string $period   A month, such as `2027-01`.
 * @property-read string $source   The source of the number, such as the distributor.
 */
final class UsageReport extends Model
{
    public const FIELDS = [
        'use' => ['use'],
        'quantity' => ['quantity'],
        'period' => ['period'],
        'source' => ['source'],
    ];
}
