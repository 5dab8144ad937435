<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\EventPage;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Retries;
use BeatMarket\Model\Event;
use BeatMarket\Model\Fields;
use BeatMarket\Operation;

/** The account's events of the last 30 days: what webhooks deliver, for those without a public address. */
final class Events
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists the events behind a position.
     *
     * @param int|null $after the next of the last page; null for the oldest that is kept
     * @param string|null $type only events of this type, one of Value\EventType, or of several by comma
     * @param int|null $limit events on a page, 1 to 1,000; 100 by default
     * @param int|null $wait  seconds that the service waits for a first event, 0 (default) to 30; extends the timeout
     *
     * @throws GoneException       if the events behind $after are no longer kept
     * @throws BeatMarketException
     */
    public function list(?int $after = null, ?string $type = null, ?int $limit = null, ?int $wait = null): EventPage
    {
        return $this->page($after, $type, $limit, $wait, null);
    }

    /**
     * Follows the events behind a position, page by page and without end, as changes->follow() does.
     *
     * @param int|null $after as for list()
     * @param string|null $type as for list()
     * @param int      $limit events on a page, 1 to 1,000
     * @param int      $wait  seconds that the service waits for a first event, 0 to 30
     *
     * @return \Generator<int, EventPage, void, never>
     *
     * @throws GoneException       if the events behind the position are no longer kept
     * @throws BeatMarketException
     */
    public function follow(?int $after = null, ?string $type = null, int $limit = 1000, int $wait = 30): \Generator
    {
        for ($isFirst = true; ; $isFirst = false) {
            $page = $this->page($after, $type, $limit, $wait, $this->connection->retries->following($isFirst));
            yield $page;
            $after = $page->next;
        }
    }

    /**
     * Gets an event.
     *
     * @throws NotFoundException   if the account has none with this id, or no longer
     * @throws BeatMarketException
     */
    public function get(string $eventId): Event
    {
        $url = $this->connection->url(Operation::GetEvent, ['event_id' => $eventId]);

        return $this->connection->readOne($this->connection->get($url), 'event', Event::class);
    }

    private function page(?int $after, ?string $type, ?int $limit, ?int $wait, ?Retries $retries): EventPage
    {
        $url = $this->connection->url(Operation::ListEvents, query: ['after' => $after, 'type' => $type, 'limit' => $limit, 'wait' => $wait]);
        $response = $this->connection->get($url, $wait ?? 0, $retries);

        return $this->connection->read($response, static fn (Fields $data): EventPage => new EventPage(
            $data->models('events', Event::class),
            $data->integer('next'),
            $response,
        ));
    }
}
