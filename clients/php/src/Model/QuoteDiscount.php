<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What a discount would take off.
 *
 * @property-read int         $id
 * @property-read string      $name
 * @property-read string|null $code   Null for a discount that needs no code.
 * @property-read float       $amount The amount that it takes off. At most two decimals.
 */
final class QuoteDiscount extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'name' => ['name'],
        'code' => ['code'],
        'amount' => ['amount', 'float'],
    ];
}
