<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A completed order of a beat that the account sold.
 *
 * @property-read int         $id             Identifier of the order.
 * @property-read SaleBeat    $beat           With its title when it was bought.
 * @property-read string      $licenseType    One of Value\LicenseType, or a later value.
 * @property-read float       $amount         At most two decimals.
 * @property-read float       $refundedAmount The part of the amount that was paid back; 0 without a refund.
 * @property-read string      $currency       ISO 4217.
 * @property-read SaleBuyer   $buyer          The buyer's name, as on the license.
 * @property-read string|null $licenseId      Identifier of the license; null until it is issued.
 * @property-read int         $downloads      Number of files that the buyer has downloaded.
 * @property-read string      $completedAt    ISO 8601, UTC, whole seconds.
 * @property-read string|null $refundedAt     Of the last refund; null without one.
 */
final class Sale extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'beat' => ['beat', SaleBeat::class],
        'licenseType' => ['license_type'],
        'amount' => ['amount', 'float'],
        'refundedAmount' => ['refunded_amount', 'float'],
        'currency' => ['currency'],
        'buyer' => ['buyer', SaleBuyer::class],
        'licenseId' => ['license_id'],
        'downloads' => ['downloads'],
        'completedAt' => ['completed_at'],
        'refundedAt' => ['refunded_at'],
    ];
}
