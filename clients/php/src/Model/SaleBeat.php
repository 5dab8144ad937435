<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The beat of a sale. */
final class SaleBeat extends Model
{
    public readonly int $id;

    /** When it was bought. */
    public readonly string $title;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->title = $fields->string('title');
    }
}
