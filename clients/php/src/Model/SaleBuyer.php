<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The buyer of a sale.
 *
 * @property-read string $name
 */
final class SaleBuyer extends Model
{
    public const FIELDS = [
        'name' => ['name'],
    ];
}
