<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How many beats have each value, by what was asked for.
 *
 * @property-read list<FacetCount>|null $genre Most frequent first.
 * @property-read list<FacetCount>|null $key   Most frequent first.
 * @property-read list<FacetCount>|null $bpm   In ranges of ten, slowest first.
 * @property-read list<FacetCount>|null $price At most ten ranges, lowest first.
 * @property-read list<FacetCount>|null $tag   The 100 most frequent, most frequent first.
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
