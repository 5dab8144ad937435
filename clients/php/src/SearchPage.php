<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\Facets;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Interpretation;
use BeatMarket\Model\Model;
use BeatMarket\Model\Pagination;
use BeatMarket\Model\PartialBeat;
use BeatMarket\Model\Producer;
use BeatMarket\Model\SearchTotals;

/**
 * One page of search results. foreach iterates over each page's beats, then its producers. With fields, the beats are
 * PartialBeats and the producers Models.
 *
 * @extends Page<Model>
 */
final class SearchPage extends Page
{
    /** @var list<Beat|PartialBeat> of this page */
    public readonly array $beats;

    /** @var list<Producer|Model> of this page */
    public readonly array $producers;

    /** All results, by type; null only if maxItems is 0. */
    public readonly ?SearchTotals $totals;

    /** What was understood of the query; null with interpret: false. */
    public readonly ?Interpretation $interpreted;

    /** How many of all beats have each value; null without facets. */
    public readonly ?Facets $facets;

    protected function __construct(
        array $data,
        ?Pagination $pagination,
        ?Response $response,
        Connection $connection,
        string $url,
        \Closure $read,
        ?int $dataLeft,
    ) {
        parent::__construct($data, $pagination, $response, $connection, $url, $read, $dataLeft);
        $isBeat = static fn (Model $item): bool => $item instanceof Beat || $item instanceof PartialBeat;
        $this->beats = array_values(array_filter($data, $isBeat));
        $this->producers = array_values(array_filter($data, static fn (Model $item): bool => !$isBeat($item)));
        [$this->totals, $this->interpreted, $this->facets] = $response === null ? [null, null, null] : $connection->read(
            $response,
            static function (Fields $data): array {
                $interpreted = $data->objectOrNull('interpreted');
                $facets = $data->objectOrNull('facets');

                return [
                    new SearchTotals($data->object('totals')),
                    $interpreted === null ? null : new Interpretation($interpreted),
                    $facets === null ? null : new Facets($facets),
                ];
            },
        );
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $extras = ['totals' => $this->totals, 'interpreted' => $this->interpreted, 'facets' => $this->facets];

        return ['beats' => $this->beats, 'producers' => $this->producers, 'pagination' => $this->pagination]
            + array_filter($extras, static fn (mixed $extra): bool => $extra !== null);
    }
}
