<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Page;

use BeatMarket\FeedPage;
use BeatMarket\Model\Event;

/**
 * A page of events, in the order of commits.
 *
 * @property-read list<Event> $events
 * @property-read int         $next   The position to continue from.
 */
final class EventPage extends FeedPage
{
    public const FIELDS = [
        'events' => ['events', [Event::class]],
        'next' => ['next'],
    ];
}
