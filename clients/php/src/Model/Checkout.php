<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * One payment of one or more licenses.
 *
 * @property-read int                   $id
 * @property-read string|null           $url           The page on which a person pays. Open it in a browser. Null only
 *                                                     while the provider is unreachable.
 * @property-read string                $status        The status. `open` becomes `completed` with the payment,
 *                                                     `expired` at `expiresAt`, or `cancelled` when it cannot be
 *                                                     fulfilled, for example because an item is no longer for sale. One
 *                                                     of Value\CheckoutStatus, or a later value.
 * @property-read float                 $amount        The sum of the items, with at most two decimals.
 * @property-read string                $currency      The currency, by ISO 4217.
 * @property-read string|null           $successUrl
 * @property-read string|null           $cancelUrl
 * @property-read string|null           $failureReason Why the checkout was cancelled, as a sentence. Null unless it
 *                                                     was.
 * @property-read string                $createdAt     A time in ISO 8601, UTC, whole seconds.
 * @property-read string                $expiresAt     A time in ISO 8601, UTC, whole seconds.
 * @property-read list<CheckoutItem>    $items
 * @property-read list<AppliedDiscount> $discounts     The applied discounts, each with its amount.
 * @property-read list<Order>           $orders        One order for each item, once the payment has succeeded. Empty
 *                                                     before.
 */
final class Checkout extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'url' => ['url'],
        'status' => ['status'],
        'amount' => ['amount', 'float'],
        'currency' => ['currency'],
        'successUrl' => ['success_url'],
        'cancelUrl' => ['cancel_url'],
        'failureReason' => ['failure_reason'],
        'createdAt' => ['created_at'],
        'expiresAt' => ['expires_at'],
        'items' => ['items', [CheckoutItem::class]],
        'discounts' => ['discounts', [AppliedDiscount::class]],
        'orders' => ['orders', [Order::class]],
    ];
}
