<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A completed order of a beat that the account sold.
 *
 * @property-read int         $id             Identifier of the order.
 * @property-read SaleBeat    $beat           The beat, with its title at the time of the purchase.
 * @property-read string      $licenseType    One of Value\LicenseType, or a later value.
 * @property-read float       $amount         An amount with at most two decimals.
 * @property-read float       $refundedAmount The part of the amount that was paid back. 0 without a refund.
 * @property-read string      $currency       The currency, by ISO 4217.
 * @property-read SaleBuyer   $buyer          The name of the buyer on the license.
 * @property-read string|null $licenseId      Identifier of the license. Null until it is issued.
 * @property-read int         $downloads      The number of files that the buyer has downloaded.
 * @property-read string      $completedAt    A time in ISO 8601, UTC, whole seconds.
 * @property-read string|null $refundedAt     When the last refund was made. Null if there is none.
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
