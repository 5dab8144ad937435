<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Model\Event;

/** A page of events, in the order of commits. */
final class EventPage implements \JsonSerializable
{
    /**
     * @internal
     *
     * @param list<Event> $events
     * @param int          $next    the position to go on from
     */
    public function __construct(
        public readonly array $events,
        public readonly int $next,
        public readonly Response $response,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return ['events' => $this->events, 'next' => $this->next];
    }
}
