<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Producer;
use BeatMarket\Page\SearchPage;

/** @internal */
trait ClientMethods
{
    /**
     * Beats and producers, best first, up to `limit` of each. Tempos, keys and prices in the text become filters;
     * `interpreted` tells which. Totals are exact; `lastPage` is that of the longer list.
     *
     * Needs the permission search:read.
     *
     * @param string                         $q             What to look for: words of titles, producers, genres and
     *                                                      tags, tempos (`140 bpm`, `138-142`, `trap 140`), keys (`a
     *                                                      minor`, `8A`) and prices (`under $20`). The last word may be
     *                                                      unfinished. Accents and case are ignored, and typing errors
     *                                                      forgiven.
     * @param string|null                    $type          What to look among (default: all). One of Value\SearchType.
     * @param int|null                       $page          Page number, from 1.
     * @param int|null                       $limit         Results per page: up to as many beats, and up to as many
     *                                                      producers (1 to 50; default: 20).
     * @param int|list<int>|null             $genre         Only beats of the genres with these ids.
     * @param int|list<int>|null             $producer      Only beats of the producers with these ids.
     * @param int|null                       $bpmMin        Only beats of this `bpm` or faster (1 to 999).
     * @param int|null                       $bpmMax        Only beats of this `bpm` or slower (1 to 999).
     * @param int|null                       $bpm           Only beats of this `bpm` (1 to 999). Instead of `bpmMin` and
     *                                                      `bpmMax`.
     * @param float|null                     $bpmTolerance  Percent by which a beat may differ from `bpm` (0 to 50).
     *                                                      Default: 0.
     * @param bool|null                      $halfDouble    Whether beats of half and of double the `bpm` match as well.
     *                                                      Default: false.
     * @param string|list<string>|null       $key           Only beats in these keys: `A minor`, `Am` or `8A` (Camelot);
     *                                                      enharmonic spellings are the same key; `unknown` for beats
     *                                                      without one.
     * @param string|null                    $keyCompatible Only beats that mix with this key: itself, its relative and
     *                                                      its neighbours on the circle of fifths. Spelled as in `key`.
     * @param float|null                     $priceMin      Only beats of this `price` or more.
     * @param float|null                     $priceMax      Only beats of this `price` or less.
     * @param int|null                       $durationMin   Only beats of this many seconds or more.
     * @param int|null                       $durationMax   Only beats of this many seconds or less.
     * @param \DateTimeInterface|string|null $createdAfter  Only beats whose `createdAt` is this time or later, ISO
     *                                                      8601. A date alone is its first second, UTC.
     * @param \DateTimeInterface|string|null $createdBefore Only beats whose `createdAt` is this time or earlier, ISO
     *                                                      8601. A date alone is its last second, UTC.
     * @param string|list<string>|null       $tag           Only beats with one of these tags. Accents and case are
     *                                                      ignored.
     * @param string|list<string>|null       $license       Only beats of which one of these licenses is available. Of
     *                                                      Value\LicenseType.
     * @param string|null                    $sort          Order of the beats (default: relevance). One of
     *                                                      Value\SearchSort.
     * @param string|list<string>|null       $facets        What to count beats by: exact counts under all filters but
     *                                                      those on the same property. Of Value\FacetName.
     * @param string|list<string>|null       $fields        The fields that objects are reduced to: names of the form
     *                                                      that is asked for, those of a single beat included. The
     *                                                      schemas of responses describe objects that are not reduced.
     * @param bool|null                      $interpret     Whether tempos, keys and prices in `q` become filters; with
     *                                                      false, they are words like any other (default: true).
     * @param int|null                       $maxItems      Maximum number of items, of this page and in a foreach.
     *
     * @throws BeatMarketException
     */
    public function search(
        string $q,
        ?string $type = null,
        ?int $page = null,
        ?int $limit = null,
        int|array|null $genre = null,
        int|array|null $producer = null,
        ?int $bpmMin = null,
        ?int $bpmMax = null,
        ?int $bpm = null,
        ?float $bpmTolerance = null,
        ?bool $halfDouble = null,
        string|array|null $key = null,
        ?string $keyCompatible = null,
        ?float $priceMin = null,
        ?float $priceMax = null,
        ?int $durationMin = null,
        ?int $durationMax = null,
        \DateTimeInterface|string|null $createdAfter = null,
        \DateTimeInterface|string|null $createdBefore = null,
        string|array|null $tag = null,
        string|array|null $license = null,
        ?string $sort = null,
        string|array|null $facets = null,
        string|array|null $fields = null,
        ?bool $interpret = null,
        ?int $maxItems = null,
    ): SearchPage {
        return $this->connection->page(
            Operation::Search,
            SearchPage::class,
            ['beats' => $fields === null ? Beat::class : BeatDetail::class, 'producers' => Producer::class],
            query: [
                'q' => $q,
                'type' => $type,
                'page' => $page,
                'limit' => $limit,
                'genre' => $genre,
                'producer' => $producer,
                'bpm_min' => $bpmMin,
                'bpm_max' => $bpmMax,
                'bpm' => $bpm,
                'bpm_tolerance' => $bpmTolerance,
                'half_double' => $halfDouble,
                'key' => $key,
                'key_compatible' => $keyCompatible,
                'price_min' => $priceMin,
                'price_max' => $priceMax,
                'duration_min' => $durationMin,
                'duration_max' => $durationMax,
                'created_after' => $createdAfter,
                'created_before' => $createdBefore,
                'tag' => $tag,
                'license' => $license,
                'sort' => $sort,
                'facets' => $facets,
                'fields' => $fields,
                'interpret' => $interpret,
            ],
            maxItems: $maxItems,
        );
    }
}
