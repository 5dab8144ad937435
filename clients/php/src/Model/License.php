<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A license of a beat and its price. */
final class License extends Model
{
    /** One of Value\LicenseType; the API may add values. */
    public readonly string $type;

    /** At most two decimals. */
    public readonly float $price;

    /** False for every license while the exclusive one is being bought, and once it is sold. */
    public readonly bool $available;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->type = $fields->string('type');
        $this->price = $fields->number('price');
        $this->available = $fields->boolean('available');
    }
}
