<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The data of a beat.updated event: the beat as it is now. */
final class BeatUpdated extends Beat
{
    /** @var list<string> Wire names of the fields that changed. */
    public readonly array $changed;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->changed = $fields->strings('changed');
    }
}
