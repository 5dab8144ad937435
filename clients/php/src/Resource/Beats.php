<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\BeatBatch;
use BeatMarket\BeatPage;
use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Fields;
use BeatMarket\Model\PartialBeat;
use BeatMarket\Model\SimilarBeat;
use BeatMarket\Operation;

final class Beats
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists beats on sale.
     *
     * @param int|null                       $page          from 1
     * @param int|null                       $limit         beats on a page, 1 to 100; 20 by default
     * @param int|list<int>|null             $genre         only beats of these genre ids
     * @param int|list<int>|null             $producer      only beats of these producer ids
     * @param int|null                       $bpmMin        only beats of this tempo or faster
     * @param int|null                       $bpmMax        only beats of this tempo or slower
     * @param int|null                       $bpm           only beats of this tempo, instead of bpmMin and bpmMax
     * @param float|null                     $bpmTolerance  percent by which a beat may differ from bpm
     * @param bool|null                      $halfDouble    whether beats of half and of double the bpm match as well
     * @param string|list<string>|null       $key           only beats in these keys: A minor, Am or 8A
     * @param string|null                    $keyCompatible only beats that mix with this key
     * @param float|null                     $priceMin      only beats of this price or more
     * @param float|null                     $priceMax      only beats of this price or less
     * @param int|null                       $durationMin   only beats of this many seconds or more
     * @param int|null                       $durationMax   only beats of this many seconds or less
     * @param \DateTimeInterface|string|null $createdAfter  only beats of this time or later
     * @param \DateTimeInterface|string|null $createdBefore only beats of this time or earlier
     * @param string|list<string>|null       $tag           only beats with one of these tags
     * @param string|list<string>|null       $license       Value\LicenseType; only beats of which one of these is available
     * @param string|null                    $sort          one of Value\BeatSort; newest by default
     * @param string|list<string>|null       $facets        what to count all found beats by: genre, key, bpm, price, tag
     * @param list<int>|null                 $ids           these beats, at most 100, in that order, as BeatDetails; only fields goes with it
     * @param string|list<string>|null       $fields        the fields that beats are reduced to, as PartialBeats
     * @param int|null                       $maxItems      maximum number of items in a foreach
     *
     * @return BeatPage<Beat|PartialBeat>
     *
     * @throws BeatMarketException
     */
    public function list(
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
        ?array $ids = null,
        string|array|null $fields = null,
        ?int $maxItems = null,
    ): BeatPage {
        $query = [
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
            'ids' => $ids,
            'fields' => $fields,
        ];
        $model = $fields !== null ? PartialBeat::class : ($ids !== null ? BeatDetail::class : Beat::class);

        return BeatPage::at(
            $this->connection->url(Operation::ListBeats, query: $query),
            $this->connection,
            static fn (Fields $data): array => $data->models('beats', $model),
            $maxItems,
        );
    }

    /**
     * Gets beats by their ids, in that order and with their licenses, with a request for every 100.
     *
     * @param list<int> $beatIds
     *
     * @throws BeatMarketException
     */
    public function getMany(array $beatIds): BeatBatch
    {
        $beats = [];
        $missing = [];
        foreach (array_chunk($beatIds, 100) as $ids) {
            $page = $this->list(ids: $ids);
            array_push($beats, ...$page->data);
            array_push($missing, ...$page->missing ?? []);
        }

        return new BeatBatch($beats, $missing);
    }

    /**
     * Gets a beat with its licenses.
     *
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function get(int|string $beatId): BeatDetail
    {
        $url = $this->connection->url(Operation::GetBeat, ['beat_id' => $beatId]);

        return $this->connection->readOne($this->connection->get($url), 'beat', BeatDetail::class);
    }

    /**
     * Lists similar beats, most similar first.
     *
     * @param int|null $limit 1 to 20; 5 by default
     *
     * @return Collection<SimilarBeat>
     *
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function similar(int|string $beatId, ?int $limit = null): Collection
    {
        $url = $this->connection->url(Operation::ListSimilarBeats, ['beat_id' => $beatId], ['limit' => $limit]);

        return $this->connection->readAll($this->connection->get($url), 'beats', SimilarBeat::class);
    }
}
