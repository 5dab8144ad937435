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
 * @property-read SearchTotals        $totals      All results of each type.
 * @property-read Interpretation|null $interpreted The filters found in `q`, by the names of parameters; absent with
 *                                                 `interpret=false`.
 * @property-read Facets|null         $facets      With `facets`: beats by value.
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
