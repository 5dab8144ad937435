<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What a purchase would cost, with every discount that was tried.
 *
 * @property-read float               $amount    What a checkout of the items charges. At most two decimals.
 * @property-read string              $currency  ISO 4217.
 * @property-read list<QuoteItem>     $items     In the order of the request.
 * @property-read list<QuoteDiscount> $discounts The discounts that take something off.
 * @property-read list<QuoteRule>     $rules     Every discount that was tried.
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
