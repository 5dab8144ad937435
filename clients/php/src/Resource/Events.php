<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\EventStream;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Event;
use BeatMarket\Model\TestEvent;
use BeatMarket\Page\EventPage;
use BeatMarket\Value\EventType;

/** The events that webhooks deliver, for programs without a public address. */
final class Events
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the events of the last 30 days that a webhook endpoint of the account would receive, with the same
     * bodies, in the order of commits, without gaps and repetitions. Programs without a public address use it instead
     * of webhooks. Pass `next` as `after` of the next request; with `wait`, the response is sent as soon as there is an
     * event.
     *
     * Needs the permission events:read.
     *
     * @param int|null    $after Only events after this position: the `next` of the previous response. Default: from the
     *                           oldest stored event.
     * @param string|null $type  Only events of these types, separated by commas: beat.created, beat.updated,
     *                           beat.withdrawn, beat.taken_down, beat.sold_exclusively, beat.purchased, order.refunded,
     *                           order.failed, license.upgraded, license.usage, upload.ready, upload.rejected,
     *                           beat.publishing_failed, payout.sent, payout.paid, payout.failed, user.registered,
     *                           user.updated. Default: all types, including later ones.
     * @param int|null    $limit The maximum number of events in a response (1 to 1000; default: 100).
     * @param int|null    $wait  The number of seconds to wait for an event if there is none yet (0 to 30). The response
     *                           is sent as soon as there is one.
     *
     * @throws BeatMarketException
     */
    public function list(?int $after = null, ?string $type = null, ?int $limit = null, ?int $wait = null): EventPage
    {
        return $this->connection->object(
            new Call(
                Operation::ListEvents,
                query: ['after' => $after, 'type' => $type, 'limit' => $limit, 'wait' => $wait],
            ),
            EventPage::class,
            null,
            lists: ['events'],
        );
    }

    /**
     * Follows the events after a position, page by page and without end: store `next` together with the content of a
     * page.
     *
     * A page without events says that there were none for $wait seconds, so a loop can end there. After the first page,
     * temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.
     *
     * Needs the permission events:read.
     *
     * @param int|null    $after Only events after this position: the `next` of the previous response. Default: from the
     *                           oldest stored event.
     * @param string|null $type  Only events of these types, separated by commas: beat.created, beat.updated,
     *                           beat.withdrawn, beat.taken_down, beat.sold_exclusively, beat.purchased, order.refunded,
     *                           order.failed, license.upgraded, license.usage, upload.ready, upload.rejected,
     *                           beat.publishing_failed, payout.sent, payout.paid, payout.failed, user.registered,
     *                           user.updated. Default: all types, including later ones.
     * @param int         $limit The maximum number of events in a response (1 to 1000; default: 1000).
     * @param int         $wait  The number of seconds to wait for an event if there is none yet (0 to 30; default: 30).
     *                           The response is sent as soon as there is one.
     *
     * @return \Generator<int, EventPage, void, never>
     *
     * @throws GoneException if the entries after the position are no longer kept
     * @throws BeatMarketException
     */
    public function follow(?int $after = null, ?string $type = null, int $limit = 1000, int $wait = 30): \Generator
    {
        return $this->connection->follow(
            Operation::ListEvents,
            EventPage::class,
            'events',
            ['after' => $after, 'type' => $type, 'limit' => $limit, 'wait' => $wait],
        );
    }

    /**
     * Returns one of the account's events of the last 30 days, with the body that webhooks have.
     *
     * Needs the permission events:read.
     *
     * @param string $eventId The `id` of the event: `evt_` and 26 letters and digits.
     *
     * @throws BeatMarketException
     */
    public function get(string $eventId): Event
    {
        return $this->connection->object(
            new Call(Operation::GetEvent, ids: ['event_id' => $eventId]),
            Event::class,
            'event',
        );
    }

    /**
     * Creates in test mode what the event describes, such as an order and its refund. The event and its deliveries
     * follow.
     *
     * Needs a test key.
     *
     * @param EventType|string $type The type of the event to cause. One of Value\EventType.
     *
     * @throws BeatMarketException
     */
    public function trigger(EventType|string $type): TestEvent
    {
        return $this->connection->object(
            new Call(Operation::TriggerEvent, body: ['type' => $type]),
            TestEvent::class,
            'test_event',
        );
    }

    /**
     * The events after a position and each new one as it happens, one by one and without end (server-sent events). Once
     * the stream has begun, it is resumed after lost connections, restarts of the service and rate limits.
     *
     * @param int|null    $after as for list()
     * @param string|null $type  as for list()
     */
    public function stream(?int $after = null, ?string $type = null): EventStream
    {
        return new EventStream($this->connection, $type, $after);
    }
}
