<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Connection;
use BeatMarket\Http\EventFeed;
use BeatMarket\Http\Json;
use BeatMarket\Model\Event;

/**
 * The events of the account, as they come and without end. A lost connection is opened again after the last event, so that none
 * is lost or repeated. The first connection fails as any call does. A break ends a foreach; the next goes on.
 *
 * @implements \IteratorAggregate<int, Event>
 */
final class EventStream implements \IteratorAggregate
{
    private ?int $lastId = null;

    /**
     * @internal
     *
     * @param int|null $position of the latest event: store it with what you made of the event, and pass it as after later
     */
    public function __construct(
        private readonly Connection $connection,
        private readonly ?string $type,
        public ?int $position,
    ) {
    }

    /** @return \Generator<int, Event, void, never> */
    public function getIterator(): \Generator
    {
        $query = ['after' => $this->position, 'type' => $this->type];
        $feed = new EventFeed($this->lastId, $this->position);
        for (;;) {
            $hasBegun = $feed->begun !== null;
            $retries = $hasBegun ? $this->connection->sender->retries->following(false) : $this->connection->sender->retries;
            $chunks = $feed->read(fn (): Response => $this->connection->stream($query, $feed, $retries));
            try {
                foreach ($chunks as $bytes) {
                    foreach ($feed->events($bytes) as $data) {
                        $event = $this->event($data, $feed);
                        [$this->lastId, $this->position] = [$feed->lastId, $feed->position];
                        yield $event;
                    }
                }
                $feed->begun ?? throw APIStatusException::unlike($chunks->getReturn(), 'The response is no stream of events: is baseUrl right?');
            } catch (APIStatusException | APIConnectionException $error) {
                // Once it has begun, what may pass is waited out.
                if ($hasBegun || $feed->begun === null) {
                    throw $error;
                }
            }
            $this->connection->sender->pause($feed->retrySeconds);
        }
    }

    private function event(string $data, EventFeed $feed): Event
    {
        $wire = Json::decode($data);

        return is_array($wire) && Connection::isObject($wire)
            ? new Event($wire, $feed->begun)
            : throw APIStatusException::unlike(new Response(200, [], $data), 'The event has an unknown form');
    }
}
