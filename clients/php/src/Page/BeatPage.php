<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Page;

use BeatMarket\Model\Beat;
use BeatMarket\Model\Facets;
use BeatMarket\Page;

/**
 * One page of beats. foreach iterates over all pages, with the same filters.
 *
 * @property-read Facets|null    $facets  The numbers of beats by value. Only with `facets`.
 * @property-read list<int>|null $missing With `ids`: the ids without a public beat.
 *
 * @template T of Beat
 *
 * @extends Page<T>
 */
final class BeatPage extends Page
{
    public const FIELDS = [
        ...parent::FIELDS,
        'facets' => ['facets', Facets::class],
        'missing' => ['missing'],
    ];
}
