<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The purchase of a license by the account, also if it is pending or failed.
 *
 * @property-read int             $id
 * @property-read string          $status         The status. `pending` becomes `completed` or `failed`; both are final.
 *                                                One of Value\OrderStatus, or a later value.
 * @property-read OrderBeat       $beat           The beat as it was at the time of the purchase.
 * @property-read string          $licenseType    One of Value\LicenseType, or a later value.
 * @property-read float           $amount         The price of the license, with at most two decimals.
 * @property-read string          $currency       The currency, by ISO 4217.
 * @property-read string          $paymentMethod
 * @property-read string|null     $failureReason  Why the order failed, as a sentence. Null unless it failed.
 * @property-read string          $createdAt      A time in ISO 8601, UTC, whole seconds.
 * @property-read string|null     $completedAt    When the order was completed. Null unless it was.
 * @property-read float           $refundedAmount The part of `amount` that was paid back by refunds and lost disputes,
 *                                                with at most two decimals.
 * @property-read string|null     $refundedAt     When money was last paid back. Null if none was. The order stays
 *                                                completed.
 * @property-read string|null     $clientSecret   Only with Stripe: the secret with which Stripe's scripts complete the
 *                                                payment in the buyer's browser. Null unless the order is pending.
 * @property-read NextAction|null $nextAction     The buyer's next step, such as 3-D Secure: open `url`. Null unless the
 *                                                order is pending.
 */
final class Order extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'status' => ['status'],
        'beat' => ['beat', OrderBeat::class],
        'licenseType' => ['license_type'],
        'amount' => ['amount', 'float'],
        'currency' => ['currency'],
        'paymentMethod' => ['payment_method'],
        'failureReason' => ['failure_reason'],
        'createdAt' => ['created_at'],
        'completedAt' => ['completed_at'],
        'refundedAmount' => ['refunded_amount', 'float'],
        'refundedAt' => ['refunded_at'],
        'clientSecret' => ['client_secret'],
        'nextAction' => ['next_action', NextAction::class],
    ];
}
