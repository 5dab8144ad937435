<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A discount that was tried, and why it applies or not.
 *
 * @property-read int|null    $id      Of the discount; null for an unknown code.
 * @property-read string|null $name
 * @property-read string|null $kind    One of Value\DiscountKind, or a later value.
 * @property-read string|null $code    Null for a discount that needs no code.
 * @property-read bool        $applied Whether it takes something off.
 * @property-read string      $reason  A sentence: what it takes off, or why nothing.
 * @property-read float       $amount  The amount that it takes off. At most two decimals.
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
