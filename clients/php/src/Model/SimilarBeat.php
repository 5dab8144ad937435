<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A beat that is similar to another one. */
final class SimilarBeat extends Beat
{
    public readonly Similarity $similarity;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->similarity = new Similarity($fields->object('similarity'));
    }
}
