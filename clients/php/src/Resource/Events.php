<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Generated\EventsMethods;
use BeatMarket\Generated\Operation;
use BeatMarket\Page\EventPage;

/** The account's events of the last 30 days: what webhooks deliver, for those without a public address. */
final class Events extends Resource
{
    use EventsMethods;

    /**
     * Follows the events behind a position, page by page and without end, as changes->follow() does.
     *
     * @param int|null    $after as for list()
     * @param string|null $type  as for list()
     * @param int         $limit events on a page, 1 to 1,000
     * @param int         $wait  seconds that the service waits for a first event, 0 to 30
     *
     * @return \Generator<int, EventPage, void, never>
     *
     * @throws GoneException       if the events behind the position are no longer kept
     * @throws BeatMarketException
     */
    public function follow(?int $after = null, ?string $type = null, int $limit = 1000, int $wait = 30): \Generator
    {
        $query = ['after' => $after, 'type' => $type, 'limit' => $limit, 'wait' => $wait];

        return $this->connection->follow(Operation::ListEvents, EventPage::class, 'events', $query);
    }
}
