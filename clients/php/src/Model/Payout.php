<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A payment of the marketplace to a producer.
 *
 * @property-read int         $id
 * @property-read float       $amount        The amount of the payout, with at most two decimals.
 * @property-read string      $currency      The currency, by ISO 4217.
 * @property-read string      $status        One of Value\PayoutStatus, or a later value.
 * @property-read string      $destination   The kind of account that receives the money: a bank account, or an account
 *                                           at Stripe. One of Value\PayoutDestination, or a later value.
 * @property-read string|null $failureReason Why the payout failed. Null unless `status` is `failed`.
 * @property-read string      $createdAt
 * @property-read string|null $sentAt
 * @property-read string|null $settledAt     When the payout arrived or failed. Null before that.
 */
final class Payout extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'amount' => ['amount', 'float'],
        'currency' => ['currency'],
        'status' => ['status'],
        'destination' => ['destination'],
        'failureReason' => ['failure_reason'],
        'createdAt' => ['created_at'],
        'sentAt' => ['sent_at'],
        'settledAt' => ['settled_at'],
    ];
}
