<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How many beats have each value, by requested facet.
 *
 * @property-read list<FacetCount>|null $genre The most frequent genre comes first.
 * @property-read list<FacetCount>|null $key   The most frequent key comes first.
 * @property-read list<FacetCount>|null $bpm   Ranges of ten, the slowest first.
 * @property-read list<FacetCount>|null $price At most ten ranges, the lowest first.
 * @property-read list<FacetCount>|null $tag   The 100 most frequent tags, the most frequent first.
 */
final class Facets extends Model
{
    public const FIELDS = [
        'genre' => ['genre', [FacetCount::class]],
        'key' => ['key', [FacetCount::class]],
        'bpm' => ['bpm', [FacetCount::class]],
        'price' => ['price', [FacetCount::class]],
        'tag' => ['tag', [FacetCount::class]],
    ];
}
