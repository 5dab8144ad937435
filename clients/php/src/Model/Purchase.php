<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The data of a beat.purchased event. */
final class Purchase extends Model
{
    public readonly int $beatId;
    public readonly string $title;
    public readonly int $producerId;
    public readonly string $producerName;

    /** One of Value\LicenseType; the API may add values. */
    public readonly string $licenseType;

    /** At most two decimals. */
    public readonly float $amount;

    /** ISO 4217. */
    public readonly string $currency;

    public readonly int $purchaserId;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->beatId = $fields->integer('beat_id');
        $this->title = $fields->string('title');
        $this->producerId = $fields->integer('producer_id');
        $this->producerName = $fields->string('producer_name');
        $this->licenseType = $fields->string('license_type');
        $this->amount = $fields->number('amount');
        $this->currency = $fields->string('currency');
        $this->purchaserId = $fields->integer('purchaser_id');
    }
}
