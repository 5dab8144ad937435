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

    /** What was paid back of the amount, at most two decimals; 0 without a refund. */
    public readonly float $refundedAmount;

    /** Of the last refund, ISO 8601, UTC, whole seconds; null without one. The order stays completed. */
    public readonly ?string $refundedAt;

    /** With Stripe: what Stripe's own scripts finish the payment with in the buyer's browser; null unless pending. */
    public readonly ?string $clientSecret;

    /** What the buyer has to do, such as 3-D Secure; null unless pending. */
    public readonly ?NextAction $nextAction;

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
        $this->refundedAmount = $fields->number('refunded_amount');
        $this->refundedAt = $fields->stringOrNull('refunded_at');
        $this->clientSecret = $fields->stringOrNull('client_secret');
        $nextAction = $fields->objectOrNull('next_action');
        $this->nextAction = $nextAction === null ? null : new NextAction($nextAction);
    }
}
