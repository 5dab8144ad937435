<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How many beats have a value, or are in a range of values.
 *
 * @property-read GenreName|string|float $value The key as in beats; "" for an unknown key.
 * @property-read int                    $count
 * @property-read float|null             $max   The highest bpm of the range, as for `bpmMax`.
 */
final class FacetCount extends Model
{
    public const FIELDS = [
        'value' => ['value', GenreName::class, 'float'],
        'count' => ['count'],
        'max' => ['max', 'float'],
    ];
}
