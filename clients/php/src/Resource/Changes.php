<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\ChangePage;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Retries;
use BeatMarket\Model\Change;
use BeatMarket\Model\Fields;
use BeatMarket\Operation;

/** The changes of the catalogue in the order of commits: what keeps a copy of it true. */
final class Changes
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists the changes behind a position.
     *
     * @param int|null $after the next of the last page, or the position of an export; null for the oldest that is kept
     * @param int|null $limit changes on a page, 1 to 1,000; 100 by default
     * @param int|null $wait  seconds that the service waits for a first change, 0 (default) to 30; extends the timeout
     *
     * @throws GoneException       if the changes behind $after are no longer kept: take an export
     * @throws BeatMarketException
     */
    public function list(?int $after = null, ?int $limit = null, ?int $wait = null): ChangePage
    {
        return $this->page($after, $limit, $wait, null);
    }

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
        for ($isFirst = true; ; $isFirst = false) {
            $page = $this->page($after, $limit, $wait, $this->connection->retries->following($isFirst));
            yield $page;
            $after = $page->next;
        }
    }

    private function page(?int $after, ?int $limit, ?int $wait, ?Retries $retries): ChangePage
    {
        $url = $this->connection->url(Operation::ListChanges, query: ['after' => $after, 'limit' => $limit, 'wait' => $wait]);
        $response = $this->connection->get($url, $wait ?? 0, $retries);

        return $this->connection->read($response, static fn (Fields $data): ChangePage => new ChangePage(
            $data->models('changes', Change::class),
            $data->integer('next'),
            $response,
        ));
    }
}
