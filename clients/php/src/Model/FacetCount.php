<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** How many beats have a value, or are in a range of values. */
final class FacetCount extends Model
{
    /** A genre; a key as beats show it ("" where it is unknown) or a tag; the lowest tempo or price of a range. */
    public readonly GenreName|string|float $value;

    /** The highest tempo or price of a range; null for other values. */
    public readonly ?float $max;

    public readonly int $count;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $value = $fields->wire['value'] ?? null;
        $this->value = match (true) {
            is_array($value) => new GenreName($fields->object('value')),
            is_string($value) => $value,
            default => $fields->number('value'),
        };
        $this->max = $fields->optional('max', $fields->number(...));
        $this->count = $fields->integer('count');
    }
}
