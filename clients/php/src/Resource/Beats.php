<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Fields;
use BeatMarket\Model\SimilarBeat;
use BeatMarket\Operation;
use BeatMarket\Page;

final class Beats
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists beats on sale.
     *
     * @param int|null    $page     from 1
     * @param int|null    $limit    beats on a page, 1 to 100; 20 by default
     * @param int|null    $genre    only beats of this genre id
     * @param int|null    $producer only beats of this producer id
     * @param string|null $sort     one of Value\BeatSort; newest by default
     * @param int|null    $maxItems maximum number of beats in a foreach
     *
     * @return Page<Beat>
     *
     * @throws BeatMarketException
     */
    public function list(
        ?int $page = null,
        ?int $limit = null,
        ?int $genre = null,
        ?int $producer = null,
        ?string $sort = null,
        ?int $maxItems = null,
    ): Page {
        $query = ['page' => $page, 'limit' => $limit, 'genre' => $genre, 'producer' => $producer, 'sort' => $sort];

        return Page::at(
            $this->connection->url(Operation::ListBeats, query: $query),
            $this->connection,
            static fn (Fields $data): array => $data->models('beats', Beat::class),
            $maxItems,
        );
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
