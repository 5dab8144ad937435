<?php

declare(strict_types=1);

namespace BeatMarket\Test\Lists;

use BeatMarket\Client;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\AuthenticationException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Http\EventFeed;
use BeatMarket\Model\Event;
use BeatMarket\Test\Double\Replies;
use BeatMarket\Test\Double\Server;
use PHPUnit\Framework\TestCase;

/** Events as they come, over connections that end. */
final class EventStreamTest extends TestCase
{
    private const SSE = ['Content-Type' => 'text/event-stream; charset=utf-8'];

    private Replies $api;

    /** @var list<float> */
    private array $waits = [];

    protected function setUp(): void
    {
        $this->api = new Replies();
    }

    public function testEventsComeOneByOneWithTheirPosition(): void
    {
        $this->api->add(200, self::SSE, "retry: 2000\n\n" . self::event(7) . self::event(8));
        $events = $this->client()->events->stream(after: 3, type: 'beat.purchased');
        $seen = [];
        foreach ($events as $event) {
            $seen[] = [$event::class, $event->id, $event->data->title, $events->position];
            if (count($seen) === 2) {
                break;
            }
        }
        self::assertSame([[Event::class, 'evt_7', 'Café', 7], [Event::class, 'evt_8', 'Café', 8]], $seen);
        [, $target, $headers] = $this->api->request();
        self::assertSame(['/v1/events?after=3&type=beat.purchased', 'text/event-stream', null], [$target, $headers['accept'], $headers['last-event-id'] ?? null]);
    }

    public function testAStreamReconnectsAfterItsLastEvent(): void
    {
        $second = self::event(8) . 'id: 9';
        $this->api->add(200, self::SSE, "retry: 2000\n\n" . self::event(7))
            ->add(200, self::SSE, "{$second} never comes", strlen($second))
            ->add(503)
            ->add(200, self::SSE, self::event(9));
        self::assertSame(['evt_7', 'evt_8', 'evt_9'], $this->taken($this->client(maxRetries: 0)->events->stream(), 3));
        self::assertSame([null, '7', '8', '8'], array_map(fn (): ?string => $this->api->request()[2]['last-event-id'] ?? null, range(1, 4)));
        self::assertSame(2.0, $this->waits[0]);
        self::assertTrue($this->waits[1] >= 0.25 && $this->waits[1] <= 0.5 && $this->waits[2] >= 0.5 && $this->waits[2] <= 1);
    }

    public function testAStreamRetriesTemporaryErrorsWithoutLimit(): void
    {
        $this->api->add(200, self::SSE, self::event(7));
        for ($time = 0; $time < 10; ++$time) {
            $this->api->add(429, ['Retry-After' => 3600])->add(503);
        }
        $this->api->add(200, self::SSE, self::event(8));
        self::assertSame(['evt_7', 'evt_8'], $this->taken($this->client(maxRetries: 0)->events->stream(), 2));
        self::assertSame([21, 10], [count($this->waits), count(array_keys($this->waits, 3600.0, true))]);
    }

    public function testTheFirstConnectionIsRetriedLikeAnyCall(): void
    {
        $this->api->add(503)->add(429, ['Retry-After' => 3600]);
        $this->expectException(RateLimitException::class);
        $this->taken($this->client()->events->stream(), 1);
    }

    /**
     * @dataProvider refusals
     *
     * @param class-string<\Throwable> $class
     */
    public function testA401Or410EndsTheLoopAndANewLoopContinuesAfterTheLastEvent(int $status, string $class): void
    {
        $this->api->add(200, self::SSE, self::event(7))->add($status)->add(200, self::SSE, self::event(8));
        $events = $this->client()->events->stream();
        try {
            $this->taken($events, 2);
            self::fail('There was no refusal.');
        } catch (APIStatusException $error) {
            self::assertInstanceOf($class, $error);
        }
        self::assertSame(['evt_8'], $this->taken($events, 1));
        self::assertSame([null, '7', '7'], array_map(fn (): ?string => $this->api->request()[2]['last-event-id'] ?? null, range(1, 3)));
    }

    /** @return list<array{int, class-string<\Throwable>}> */
    public static function refusals(): array
    {
        return [[401, AuthenticationException::class], [410, GoneException::class]];
    }

    public function testAResponseThatIsNotAnEventStreamThrowsAPIStatusException(): void
    {
        $this->api->add(200, ['Content-Type' => 'application/json'], '{"status":"success","data":{}}');
        $this->expectException(APIStatusException::class);
        $this->expectExceptionMessage('not an event stream');
        $this->taken($this->client()->events->stream(), 1);
    }

    public function testAnEventOfAnUnknownFormThrows(): void
    {
        $this->api->add(200, self::SSE, "data: no JSON\n\n")->add(200, self::SSE, "data: no JSON\n\n");
        $this->expectException(APIStatusException::class);
        $this->expectExceptionMessage('The event has an unknown form');
        $this->taken($this->client()->events->stream(), 1);
    }

    public function testLeavingTheLoopClosesTheConnectionAndCallsOnResponse(): void
    {
        $this->api->add(200, self::SSE, self::event(7) . self::event(8));
        $reports = [];
        $client = $this->client(onResponse: static function (object $info) use (&$reports): void {
            $reports[] = [$info->operation, $info->status, $info->error];
        });
        $this->taken($client->events->stream(), 1);
        self::assertSame([['listEvents', 200, null]], $reports);
    }

    public function testLeavingTheLoopClosesAConnectionThatTheServerKeepsOpen(): void
    {
        $server = new Server();
        $reports = [];
        $client = new Client('bm_key', $server->url, onResponse: static function (object $info) use (&$reports): void {
            $reports[] = [$info->status, $info->error];
        });
        self::assertSame(['evt_7'], $this->taken($client->events->stream(), 1));
        self::assertSame([[200, null]], $reports);
    }

    /** @dataProvider chunks */
    public function testEventsAreReadFromChunksOfAnySize(int $size, string $end): void
    {
        $lines = ["\u{FEFF}retry: 9", ': comment', 'id: 7', 'data: ä', 'data:  b', '', "id: 8\0", 'retry: x', 'data', '', 'event: x', '', 'data: cut off'];
        $feed = new EventFeed(null);
        $found = [];
        foreach (str_split(implode($end, $lines), $size) as $chunk) {
            foreach ($feed->events($chunk) as $data) {
                $found[] = [$feed->lastId, $data];
            }
        }
        self::assertSame([[7, "ä\n b"], [7, '']], $found);
        self::assertSame(0.009, $feed->retrySeconds);
    }

    /** @return iterable<array{int, string}> */
    public static function chunks(): iterable
    {
        foreach ([1, 2, 3, 7, 1000] as $size) {
            foreach (["\n", "\r\n", "\r"] as $end) {
                yield [$size, $end];
            }
        }
    }

    private static function event(int $position): string
    {
        $body = json_encode(['id' => "evt_{$position}", 'created' => 1, 'type' => 'beat.purchased', 'data' => ['title' => 'Café']], JSON_THROW_ON_ERROR);

        return "id: {$position}\nevent: beat.purchased\ndata: {$body}\n\n:\n\n";
    }

    /**
     * The ids of the first events.
     *
     * @param iterable<Event> $events
     *
     * @return list<string>
     */
    private function taken(iterable $events, int $count): array
    {
        $ids = [];
        foreach ($events as $event) {
            $ids[] = $event->id;
            if (count($ids) === $count) {
                break;
            }
        }

        return $ids;
    }

    private function client(mixed ...$options): Client
    {
        $waits = &$this->waits;
        $sleep = static function (float $seconds) use (&$waits): void {
            $waits[] = $seconds;
        };

        return new Client(...['apiKey' => 'bm_key', 'baseUrl' => "{$this->api->url}/v1", 'sleep' => $sleep] + $options);
    }
}
