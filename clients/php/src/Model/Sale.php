<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A completed order of a beat of your account. */
final class Sale extends Model
{
    /** Of the order. */
    public readonly int $id;

    public readonly SaleBeat $beat;

    /** One of Value\LicenseType; the API may add values. */
    public readonly string $licenseType;

    /** At most two decimals. */
    public readonly float $amount;

    /** What of it went back to the buyer; 0 without a refund. */
    public readonly float $refundedAmount;

    /** ISO 4217. */
    public readonly string $currency;

    public readonly SaleBuyer $buyer;

    /** A UUID; null until the license is issued. */
    public readonly ?string $licenseId;

    /** Files of the order that the buyer has downloaded, each counted once. */
    public readonly int $downloads;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $completedAt;

    /** Of the last refund, ISO 8601, UTC, whole seconds; null without one. */
    public readonly ?string $refundedAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->beat = new SaleBeat($fields->object('beat'));
        $this->licenseType = $fields->string('license_type');
        $this->amount = $fields->number('amount');
        $this->refundedAmount = $fields->number('refunded_amount');
        $this->currency = $fields->string('currency');
        $this->buyer = new SaleBuyer($fields->object('buyer'));
        $this->licenseId = $fields->stringOrNull('license_id');
        $this->downloads = $fields->integer('downloads');
        $this->completedAt = $fields->string('completed_at');
        $this->refundedAt = $fields->stringOrNull('refunded_at');
    }
}
