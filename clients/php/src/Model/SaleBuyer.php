<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** Who bought. */
final class SaleBuyer extends Model
{
    /** When they bought, as their license names them. */
    public readonly string $name;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->name = $fields->string('name');
    }
}
