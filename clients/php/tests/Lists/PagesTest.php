<?php

declare(strict_types=1);

namespace BeatMarket\Test\Lists;

use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Model\Beat;
use BeatMarket\Page;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;

final class PagesTest extends ClientCase
{
    public function testForeachIteratesOverAllPagesInOrder(): void
    {
        $page = $this->client(
            self::page([1, 2], '/beats?limit=2&page=2&after=x'),
            self::page([3, 4], '/beats?limit=2&page=3&after=y'),
            self::page([5]),
        )->beats->list(limit: 2);
        self::assertSame([[1, 2], 5], [self::ids($page->data), $page->total]);
        self::assertSame([1, 2, 3, 4, 5], self::ids($page));
        self::assertSame(['/beats?limit=2', '/beats?limit=2&page=2&after=x', '/beats?limit=2&page=3&after=y'], $this->urls());
    }

    public function testAPageHasTheFieldsAboutAllResultsThatTheResponseHas(): void
    {
        $pagination = ['total' => 2, 'per_page' => 20, 'current_page' => 1, 'last_page' => 1];
        $genres = [['value' => ['id' => 3, 'name' => 'Trap'], 'count' => 2]];
        $tempos = [['value' => 140, 'max' => 149, 'count' => 2]];
        $client = $this->client(
            self::success(['beats' => [['id' => 1]], 'pagination' => $pagination, 'facets' => ['genre' => $genres, 'bpm' => $tempos]]),
            self::success([
                'beats' => [],
                'producers' => [],
                'pagination' => $pagination,
                'totals' => ['beats' => 2, 'producers' => 0],
                'interpreted' => ['q' => 'trap', 'bpm_min' => 140, 'bpm_max' => 140],
            ]),
        );
        $page = $client->beats->list(facets: ['genre', 'bpm'], fields: 'id');
        self::assertSame([1, null], [$page->data[0]->id, $page->data[0]->title]);
        self::assertSame(['Trap', 149.0], [$page->facets?->genre[0]->value->name, $page->facets?->bpm[0]->max]);
        self::assertSame([null, null], [$page->facets?->key, $page->missing]);
        $found = $client->search('trap 140 bpm');
        self::assertSame([2, 140, null, null], [$found->totals?->beats, $found->interpreted?->bpmMin, $found->interpreted?->key, $found->facets]);
    }

    public function testAPageAndACollectionAreReadAsArrays(): void
    {
        $page = $this->client(self::page([1, 2], '/beats?page=2'))->beats->list();
        self::assertSame([2, 2, true, false], [count($page), $page[1]->id, isset($page[0]), isset($page[2])]);
        $genres = $this->client(self::success(self::example('operations', 'listGenres')['reference']['data']))->genres->list();
        self::assertSame([$genres->data[0], false], [$genres[0], isset($genres[999])]);
        foreach ([$page, $genres] as $list) {
            try {
                $list[0] = $list[0];
                self::fail('The list was changed.');
            } catch (\Error $error) {
                self::assertStringContainsString('readonly', $error->getMessage());
            }
        }
    }

    public function testNextPageFollowsThePages(): void
    {
        $page = $this->client(self::page([1], '/beats?page=2'), self::page([2]))->beats->list();
        $next = $page->nextPage();
        self::assertSame([2], self::ids($next?->data ?? []));
        self::assertNull($next?->nextPage());
    }

    public function testASecondLoopStartsOver(): void
    {
        $page = $this->client(self::page([1], '/beats?page=2'), self::page([2]), self::page([2]))->beats->list();
        self::assertSame([1, 2], self::ids($page));
        self::assertSame([1, 2], self::ids($page));
    }

    /**
     * @dataProvider caps
     *
     * @param list<int> $ids
     */
    public function testMaxItemsLimitsItemsAndRequests(int $maxItems, array $ids, int $requests): void
    {
        $page = $this->client(
            self::page([1, 2], '/beats?page=2'),
            self::page([3, 4], '/beats?page=3'),
            self::page([5, 6]),
        )->beats->list(limit: 2, maxItems: $maxItems);
        self::assertSame($ids, self::ids($page));
        self::assertCount($requests, $this->transport->requests);
    }

    /** @return list<array{int, list<int>, int}> */
    public static function caps(): array
    {
        return [[0, [], 0], [1, [1], 1], [2, [1, 2], 1], [3, [1, 2, 3], 2], [6, [1, 2, 3, 4, 5, 6], 3], [9, [1, 2, 3, 4, 5, 6], 3]];
    }

    public function testMaxItemsZeroSendsARequestOnlyForTotalAndPagination(): void
    {
        $page = $this->client(self::success(['beats' => [], 'producers' => [], 'pagination' => self::pagination('/search?page=2')]))->search('x', maxItems: 0);
        self::assertSame([[], [], [], null], [$page->data, $page->beats, $page->producers, $page->nextPage()]);
        self::assertSame([], iterator_to_array($page));
        self::assertSame([], $this->transport->requests);
        self::assertSame([5, 5, 200], [$page->total, $page->pagination?->total, $page->response->status]);
        self::assertCount(1, $this->transport->requests);
    }

    /**
     * @testWith [7]
     *           [[]]
     *           [true]
     *           [""]
     */
    public function testAnInvalidNextPageUrlThrowsWhenItIsRequested(mixed $url): void
    {
        $page = $this->client(self::success(['beats' => [['id' => 1]], 'pagination' => ['next_page_url' => $url]]))->beats->list();
        $this->expectException(APIStatusException::class);
        $page->nextPage();
    }

    public function testMaxItemsCannotBeNegative(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->client()->orders->list(maxItems: -1);
    }

    public function testAnEmptyListEndsButAnEmptyPageDoesNotEndAList(): void
    {
        self::assertSame([], self::ids($this->client(self::page([]))->beats->list()));
        $page = $this->client(self::page([1], '/beats?page=2'), self::page([], '/beats?page=3'), self::page([2]))->beats->list();
        self::assertSame([1, 2], self::ids($page));
    }

    /** @dataProvider foreignUrls */
    public function testANextPageWithoutTheOriginOfTheBaseUrlThrowsAndTheKeyIsNotSent(string $url): void
    {
        $seen = [];
        try {
            foreach ($this->client(self::page([1], $url, ''))->beats->list() as $beat) {
                $seen[] = $beat->id;
            }
            self::fail('It was followed.');
        } catch (APIStatusException $error) {
            self::assertSame([200, [1]], [$error->status, $seen]);
        }
        self::assertCount(1, $this->transport->requests);
    }

    /** @return list<array{string}> */
    public static function foreignUrls(): array
    {
        return [
            ['https://evil.example/v1/beats?page=2'], ['http://api.example.com/v1/beats'], ['https://api.example.com:8443/v1/beats'],
            ['https://api.example.com@evil.example/'], ['https://api.example.com.evil.example/'], ['//evil.example/'],
            ['https://evil.example\\@api.example.com/'], ['/v1/beats?page=2'], ['javascript:alert(1)'], [''], ["https://api.example.com/\n"],
            ['https://api.example.com:99999999/'], ['https://user@api.example.com/v1/beats'],
        ];
    }

    public function testComparesNormalizedOrigins(): void
    {
        $page = $this->client(self::page([1], 'HTTPS://API.EXAMPLE.COM:443/v1/beats?page=2', ''), self::page([2]))->beats->list();
        self::assertSame([1, 2], self::ids($page));
        self::assertSame('/beats?page=2', $this->urls()[1]);
    }

    public function testANextPageThatWasVisitedEndsTheList(): void
    {
        self::assertSame([1], self::ids($this->client(self::page([1], '/beats'))->beats->list()));
        $page = $this->client(self::page([1], '/beats?page=2'), self::page([2], '/beats?page=3'), self::page([3], '/beats?page=2'))->beats->list();
        self::assertSame([1, 2, 3], self::ids($page));
        $page = $this->client(self::page([1], '/beats?page=2'), self::page([2], '/beats'))->beats->list();
        self::assertNull($page->nextPage()?->nextPage());
    }

    public function testTheSameIteratorResumesAtTheFailedPage(): void
    {
        $page = $this->client(
            self::page([1, 2], '/beats?page=2'),
            self::page([3, 4], '/beats?page=3'),
            self::failure(500),
            self::failure(500),
            self::page([5]),
        )->with(maxRetries: 0)->beats->list();
        $iterator = new \NoRewindIterator($page->getIterator());
        $seen = [];
        $failures = 0;
        while ($failures < 3) {
            try {
                foreach ($iterator as $position => $beat) {
                    $seen[$position] = $beat->id;
                }
                break;
            } catch (ServerException) {
                ++$failures;
            }
        }
        self::assertSame([2, [1, 2, 3, 4, 5]], [$failures, $seen]);
    }

    public function testASearchIteratesOverBeatsThenProducersOfEachPage(): void
    {
        $producer = ['id' => 90] + self::example('operations', 'listProducers')['reference']['data']['producers'][0];
        $found = ['beats' => [self::beat(1)], 'producers' => [$producer], 'pagination' => self::pagination('/search?q=x&page=2'), 'totals' => ['beats' => 2, 'producers' => 1]];
        $rest = ['beats' => [self::beat(2)], 'producers' => [], 'pagination' => self::pagination(), 'totals' => $found['totals']];
        $page = $this->client(self::success($found), self::success($rest), self::success($rest))->search('x');
        self::assertSame([[1], [90]], [self::ids($page->beats), self::ids($page->producers)]);
        self::assertSame([1, 90, 2], self::ids($page));
        $next = $page->nextPage();
        self::assertSame([[2], []], [self::ids($next?->beats ?? []), self::ids($next?->producers ?? [])]);
    }

    public function testADumpedPageShowsItsFieldsAndNotTheConnection(): void
    {
        $page = $this->client(self::page([1], '/beats?page=2'))->beats->list();
        $json = json_decode((string) json_encode($page), true);
        self::assertSame([1, 'https://api.example.com/v1/beats?page=2'], [$json['data'][0]['id'], $json['pagination']['next_page_url']]);
        self::assertStringNotContainsString('Connection', print_r($page, true));
    }

    /** @param list<int> $ids */
    private static function page(array $ids, ?string $next = null, string $base = self::BASE_URL): Response
    {
        return self::success(['beats' => array_map(self::beat(...), $ids), 'pagination' => self::pagination($next, $base)]);
    }

    /** @return array<string, mixed> */
    private static function pagination(?string $next = null, string $base = self::BASE_URL): array
    {
        $next = $next === null ? null : $base . $next;

        return ['total' => 5, 'per_page' => 2, 'current_page' => 1, 'last_page' => 3, 'next_page_url' => $next, 'prev_page_url' => null];
    }

    /**
     * @param iterable<Beat|\BeatMarket\Model\Producer> $items
     *
     * @return list<int>
     */
    private static function ids(iterable $items): array
    {
        $ids = [];
        foreach ($items as $item) {
            $ids[] = $item->id;
        }

        return $ids;
    }
}
