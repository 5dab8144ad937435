<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The public profile of a user who sells beats. */
final class Producer extends User
{
    /** @var list<GenreName> Most used first. */
    public readonly array $genres;

    /** Plays of all beats on sale. */
    public readonly int $playCount;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->genres = $fields->models('genres', GenreName::class);
        $this->playCount = $fields->integer('play_count');
    }
}
