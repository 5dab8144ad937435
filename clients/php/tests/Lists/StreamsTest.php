<?php

declare(strict_types=1);

namespace BeatMarket\Test\Lists;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Http\Request;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;

/** Changes are followed page by page, in spite of temporary failures. */
final class StreamsTest extends ClientCase
{
    public function testAPageOfChangesHasThePositionOfTheNextPage(): void
    {
        $page = $this->client(self::page([4, 6], 7))->changes->list(after: 3, limit: 2, wait: 5);
        self::assertSame([4, 'sold', 1, null], [$page->changes[0]->position, $page->changes[0]->type, $page->changes[0]->beatId, $page->changes[0]->beat]);
        self::assertSame([2, 7, 200], [count($page->changes), $page->next, $page->response->status]);
        self::assertSame(['/changes?after=3&limit=2&wait=5'], $this->urls());
    }

    public function testTheWaitOfACallIsAddedToItsTimeout(): void
    {
        $client = $this->client(self::page([], 7), self::page([], 7));
        $client->with(timeout: 2)->changes->list(wait: 30);
        $client->changes->list();
        self::assertSame([32.0, 30.0], array_map(static fn (Request $sent): float => $sent->timeoutSeconds, $this->transport->requests));
    }

    public function testFollowContinuesAfterEachPageEvenAnEmptyOne(): void
    {
        $seen = [];
        foreach ($this->client(self::page([4], 4), self::page([], 9), self::page([12], 12))->changes->follow(after: 3) as $page) {
            $seen[] = [count($page->changes), $page->next];
            if ($page->next === 12) {
                break;
            }
        }
        self::assertSame([[1, 4], [0, 9], [1, 12]], $seen);
        self::assertSame(array_map(static fn (int $after): string => "/changes?after={$after}&limit=1000&wait=30", [3, 4, 9]), $this->urls());
    }

    public function testAFollowerRetriesTemporaryErrorsWithoutLimit(): void
    {
        $troubles = [];
        for ($index = 0; $index < 20; ++$index) {
            array_push($troubles, new APIConnectionException('lost'), self::failure(429, 'rate_limit_exceeded', ['retry-after' => '3600']));
        }
        $pages = $this->client(self::page([4], 4), ...[...$troubles, self::page([5], 5)])->with(maxRetries: 0)->changes->follow(after: 3);
        $pages->current();
        $pages->next();
        self::assertSame(5, $pages->current()->next);
        self::assertSame(['/changes?after=4&limit=1000&wait=30'], array_values(array_unique(array_slice($this->urls(), 1))));
        self::assertSame([40, 3600.0], [count($this->waits), max($this->waits)]);
    }

    public function testFollowThrowsIfTheFirstPageCannotBeRead(): void
    {
        $this->expectException(APIConnectionException::class);
        $this->client(new APIConnectionException('lost'))->with(maxRetries: 0)->changes->follow(after: 3)->current();
    }

    public function testFollowThrowsIfTheChangesAreNoLongerKept(): void
    {
        $pages = $this->client(self::page([4], 4), self::failure(410, 'not_found'))->changes->follow(after: 3);
        $pages->current();
        $this->expectException(GoneException::class);
        $pages->next();
    }

    public function testListObeysTheRetryLimitsOfTheClientUnlikeFollow(): void
    {
        $this->expectException(RateLimitException::class);
        $this->client(self::failure(429, 'rate_limit_exceeded', ['retry-after' => '3600']))->changes->list();
    }

    public function testEventsAreFollowedAsChangesAre(): void
    {
        $client = $this->client(self::success(['events' => [], 'next' => 9]), self::success(['events' => [], 'next' => 9]));
        self::assertSame(9, $client->events->follow(after: 7, type: 'beat.updated')->current()->next);
        $client->events->list(after: 7, wait: 5);
        self::assertSame(['/events?after=7&type=beat.updated&limit=1000&wait=30', '/events?after=7&wait=5'], $this->urls());
    }

    /** @param list<int> $positions */
    private static function page(array $positions, int $next): Response
    {
        $changes = array_map(static fn (int $at): array => ['position' => $at, 'type' => 'sold', 'beat_id' => 1, 'beat' => null], $positions);

        return self::success(['changes' => $changes, 'next' => $next]);
    }
}
