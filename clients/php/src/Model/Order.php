<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** An order of your account. */
final class Order extends Model
{
    public readonly int $id;

    /** One of Value\OrderStatus; the API may add values. completed and failed are final. */
    public readonly string $status;

    /** The beat at the time of the purchase. */
    public readonly OrderBeat $beat;

    /** One of Value\LicenseType; the API may add values. */
    public readonly string $licenseType;

    /** At most two decimals. */
    public readonly float $amount;

    /** ISO 4217. */
    public readonly string $currency;

    public readonly string $paymentMethod;

    /** A sentence; null unless failed. */
    public readonly ?string $failureReason;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $createdAt;

    /** ISO 8601, UTC, whole seconds; null unless completed. */
    public readonly ?string $completedAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->status = $fields->string('status');
        $this->beat = new OrderBeat($fields->object('beat'));
        $this->licenseType = $fields->string('license_type');
        $this->amount = $fields->number('amount');
        $this->currency = $fields->string('currency');
        $this->paymentMethod = $fields->string('payment_method');
        $this->failureReason = $fields->stringOrNull('failure_reason');
        $this->createdAt = $fields->string('created_at');
        $this->completedAt = $fields->stringOrNull('completed_at');
    }
}
