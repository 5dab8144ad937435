<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * All results of a search, by type.
 *
 * @property-read int $beats
 * @property-read int $producers
 */
final class SearchTotals extends Model
{
    public const FIELDS = [
        'beats' => ['beats'],
        'producers' => ['producers'],
    ];
}
