<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Errors;
use BeatMarket\Http\EventFeed;
use BeatMarket\Http\Json;
use BeatMarket\Model\Event;

/**
 * The events of the account, as they happen and without end. A lost connection is opened again after the last event, so no event
 * is lost or repeated. The first connection has the usual retries. After a break, another foreach continues with the next event.
 *
 * @implements \IteratorAggregate<int, Event>
 */
final class EventStream implements \IteratorAggregate
{
    private ?int $lastId = null;

    /**
     * @internal
     * @param int|null $position of the latest event: store it together with your result, and pass it as `after` later
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
        $sender = $this->connection->sender;
        $call = new Call(Operation::ListEvents, query: ['after' => $this->position, 'type' => $this->type]);
        $feed = new EventFeed($this->lastId);
        for (;;) {
            $hasBegun = $feed->begun !== null;
            $retries = $hasBegun ? $sender->retries->following(false) : $sender->retries;
            $chunks = $feed->read(fn (): Response => $this->connection->send($call, $retries, $feed));
            try {
                foreach ($chunks as $bytes) {
                    foreach ($feed->events($bytes) as $data) {
                        $wire = (array) Json::decode($data);
                        if (!Json::isObject($wire)) {
                            throw Errors::unlike(new Response(200, [], $data), 'The event has an unknown form');
                        }
                        $this->lastId = $feed->lastId;
                        $this->position = $feed->lastId ?? $this->position;
                        yield new Event($wire, $feed->begun);
                    }
                }
                $feed->begun ?? throw Errors::unlike($chunks->getReturn(), 'The response is not an event stream: is baseUrl right?');
            } catch (APIStatusException | APIConnectionException $error) {
                // Only the first connection, if it broke, is retried here: `send` retries later ones without limit.
                if ($hasBegun || $feed->begun === null) {
                    throw $error;
                }
            }
            ($sender->sleep)($feed->retrySeconds);
        }
    }
}
