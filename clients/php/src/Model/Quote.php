<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The price of a purchase, with every discount that was considered.
 *
 * @property-read float               $amount    The amount that a checkout of the items charges, with at most two
 *                                               decimals.
 * @property-read string              $currency  The currency, by ISO 4217.
 * @property-read list<QuoteItem>     $items     The items, in the order of the request.
 * @property-read list<QuoteDiscount> $discounts The discounts that apply.
 * @property-read list<QuoteRule>     $rules     Every discount that was considered.
 */
final class Quote extends Model
{
    public const FIELDS = [
        'amount' => ['amount', 'float'],
        'currency' => ['currency'],
        'items' => ['items', [QuoteItem::class]],
        'discounts' => ['discounts', [QuoteDiscount::class]],
        'rules' => ['rules', [QuoteRule::class]],
    ];
}
