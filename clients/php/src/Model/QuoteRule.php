<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A discount that was tried, and why it applies or not.
 *
 * @property-read int|null    $id      The id of the discount. Null for an unknown code.
 * @property-read string|null $name
 * @property-read string|null $kind    One of Value\DiscountKind, or a later value.
 * @property-read string|null $code    The code of the discount. Null if it needs none.
 * @property-read bool        $applied Whether the discount applies.
 * @property-read string      $reason  A sentence: the effect of the discount, or why it does not apply.
 * @property-read float       $amount  The amount of the discount, with at most two decimals.
 */
final class QuoteRule extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'name' => ['name'],
        'kind' => ['kind'],
        'code' => ['code'],
        'applied' => ['applied'],
        'reason' => ['reason'],
        'amount' => ['amount', 'float'],
    ];
}
