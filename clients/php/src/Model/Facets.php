<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** How many beats have each value, under all filters but those on the same property; null without being asked for. */
final class Facets extends Model
{
    /** @var list<FacetCount>|null */
    public readonly ?array $genre;

    /** @var list<FacetCount>|null */
    public readonly ?array $key;

    /** @var list<FacetCount>|null */
    public readonly ?array $bpm;

    /** @var list<FacetCount>|null */
    public readonly ?array $price;

    /** @var list<FacetCount>|null */
    public readonly ?array $tag;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $counts = static fn (string $name): array => $fields->models($name, FacetCount::class);
        $this->genre = $fields->optional('genre', $counts);
        $this->key = $fields->optional('key', $counts);
        $this->bpm = $fields->optional('bpm', $counts);
        $this->price = $fields->optional('price', $counts);
        $this->tag = $fields->optional('tag', $counts);
    }
}
