<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Page;

use BeatMarket\Model\Beat;
use BeatMarket\Model\Facets;
use BeatMarket\Model\Interpretation;
use BeatMarket\Model\Producer;
use BeatMarket\Model\SearchTotals;
use BeatMarket\Page;

/**
 * One page of results. foreach iterates over all pages: over each page's beats, then its producers.
 *
 * @property-read list<Beat>          $beats       Of this page.
 * @property-read list<Producer>      $producers   Of this page.
 * @property-read SearchTotals        $totals      The number of results of each type.
 * @property-read Interpretation|null $interpreted How the service read `q`: the words that it searched, and the filters
 *                                                 that it recognised, named like the parameters. Absent with
 *                                                 `interpret=false`.
 * @property-read Facets|null         $facets      The numbers of beats by value. Only with `facets`.
 *
 * @extends Page<Beat|Producer>
 */
final class SearchPage extends Page
{
    public const FIELDS = [
        ...parent::FIELDS,
        'totals' => ['totals', SearchTotals::class],
        'interpreted' => ['interpreted', Interpretation::class],
        'facets' => ['facets', Facets::class],
    ];
}
