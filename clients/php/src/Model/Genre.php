<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A genre. */
final class Genre extends Model
{
    public readonly int $id;
    public readonly string $name;
    public readonly string $slug;

    /** Beats on sale in this genre. */
    public readonly int $beatsCount;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->name = $fields->string('name');
        $this->slug = $fields->string('slug');
        $this->beatsCount = $fields->integer('beats_count');
    }
}
