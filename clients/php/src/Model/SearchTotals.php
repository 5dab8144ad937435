<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** All results of a search, by type. */
final class SearchTotals extends Model
{
    public readonly int $beats;
    public readonly int $producers;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->beats = $fields->integer('beats');
        $this->producers = $fields->integer('producers');
    }
}
