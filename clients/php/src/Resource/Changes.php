<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Generated\ChangesMethods;
use BeatMarket\Generated\Operation;
use BeatMarket\Page\ChangePage;

/** The changes of the catalogue in the order of commits: what keeps a copy of it true. */
final class Changes extends Resource
{
    use ChangesMethods;

    /**
     * Follows the changes behind a position, page by page and without end: store next with what a page brings.
     *
     * A page without changes says that there were none for $wait seconds, so a loop can end there. Temporary failures
     * (rate limits, restarts of the service, lost connections) are waited out once a first page has come.
     *
     * @param int|null $after as for list()
     * @param int      $limit changes on a page, 1 to 1,000
     * @param int      $wait  seconds that the service waits for a first change, 0 to 30
     *
     * @return \Generator<int, ChangePage, void, never>
     *
     * @throws GoneException       if the changes behind the position are no longer kept: take an export
     * @throws BeatMarketException
     */
    public function follow(?int $after = null, int $limit = 1000, int $wait = 30): \Generator
    {
        $query = ['after' => $after, 'limit' => $limit, 'wait' => $wait];

        return $this->connection->follow(Operation::ListChanges, ChangePage::class, 'changes', $query);
    }
}
