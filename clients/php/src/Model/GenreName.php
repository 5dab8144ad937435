<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The genre of a beat or producer. */
final class GenreName extends Model
{
    public readonly int $id;
    public readonly string $name;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->name = $fields->string('name');
    }
}
