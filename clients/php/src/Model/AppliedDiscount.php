<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What a discount takes off a checkout.
 *
 * @property-read int         $id
 * @property-read string      $name
 * @property-read string|null $code   The code of the discount. Null if it needs none.
 * @property-read float       $amount The amount of the discount, with at most two decimals.
 */
final class AppliedDiscount extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'name' => ['name'],
        'code' => ['code'],
        'amount' => ['amount', 'float'],
    ];
}
