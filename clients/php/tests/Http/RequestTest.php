<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Test\ClientCase;
use BeatMarket\Value\BeatSort;
use BeatMarket\Value\LicenseType;

final class RequestTest extends ClientCase
{
    private const UUID = '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/';

    public function testEachRequestHasKeyUserAgentAndAccept(): void
    {
        $this->client(self::success(['beat' => self::beat()]))->beats->get(1);
        $request = $this->transport->requests[0];
        self::assertSame(['GET', '/beats/1', null], [$request->method, $this->urls()[0], $request->body]);
        self::assertSame([
            'Authorization' => 'Bearer ' . self::KEY,
            'Accept' => 'application/json',
            'User-Agent' => 'beatmarket-php/' . Client::VERSION . ' php/' . PHP_VERSION,
        ], $request->headers());
    }

    public function testOmitsNullParameters(): void
    {
        $page = self::success(self::example('operations', 'listBeats')['reference']['data']);
        $this->client($page)->beats->list(limit: 5, genre: null, producer: 7, sort: BeatSort::Popular);
        self::assertSame(['/beats?limit=5&producer=7&sort=popular'], $this->urls());
    }

    public function testSendsListsTimesAndBooleansAsText(): void
    {
        $page = self::success(self::example('operations', 'listBeats')['reference']['data']);
        $this->client($page)->beats->list(
            genre: [3, 4],
            bpmTolerance: 2.5,
            halfDouble: true,
            createdAfter: new \DateTimeImmutable('2026-11-01T00:00:00+01:00'),
            createdBefore: '2026-11-22',
            tag: ['lo-fi', 'dark'],
        );
        self::assertSame(['/beats?genre=3%2C4&bpm_tolerance=2.5&half_double=true&created_after=2026-10-31T23%3A00%3A00.000Z'
            . '&created_before=2026-11-22&tag=lo-fi%2Cdark'], $this->urls());
    }

    public function testGetsManyBeatsInGroupsOf100(): void
    {
        $found = static fn (array $ids, array $missing): \BeatMarket\Response => self::success([
            'beats' => array_map(static fn (int $id): array => ['id' => $id] + self::beat(), $ids),
            'pagination' => ['total' => 1, 'per_page' => 100, 'current_page' => 1, 'last_page' => 1],
            'missing' => $missing,
        ]);
        $batch = $this->client($found([1, 2], [3]), $found([], [101]))->beats->getMany([1, ...range(1, 101), 101, 2]);
        self::assertSame([[1, 2], [3, 101]], [array_column($batch->beats, 'id'), $batch->missing]);
        self::assertSame('basic', $batch->beats[0]->licenses[0]->type);
        self::assertSame('/beats?ids=101', $this->urls()[1]);
    }

    public function testEncodesASearchQuery(): void
    {
        $page = self::success(self::example('operations', 'search')['reference']['data']);
        $this->client($page)->search('a&b=c +#é😀', type: 'beats');
        self::assertSame(['/search?q=a%26b%3Dc%20%2B%23%C3%A9%F0%9F%98%80&type=beats'], $this->urls());
    }

    public function testPercentEncodesIds(): void
    {
        $client = $this->client(self::success(['beat' => self::beat()]), self::success(['beat' => self::beat()]));
        $client->beats->get('a/../b');
        $client->beats->get('é 😀');
        self::assertSame(['/beats/a%2F..%2Fb', '/beats/%C3%A9%20%F0%9F%98%80'], $this->urls());
    }

    public function testEachIdStandsInItsPlaceInThePath(): void
    {
        $client = $this->client(...array_fill(0, 3, self::success(['playlist' => ['id' => 'pl_1']])));
        $client->playlists->addBeat('pl_1', 7);
        $client->playlists->addBeat('pl_2', '8');
        $client->playlists->delete('pl_3');
        self::assertSame(['/playlists/pl_1/beats/7', '/playlists/pl_2/beats/8', '/playlists/pl_3'], $this->urls());
    }

    /** @dataProvider badIds */
    public function testAnIdThatChangesThePathThrowsBeforeAnyRequest(string $id): void
    {
        $client = $this->client();
        foreach ([$client->beats->get(...), $client->beats->similar(...), $client->users->get(...), $client->orders->get(...)] as $get) {
            try {
                $get($id);
                self::fail('It was sent.');
            } catch (InvalidArgumentException $error) {
                self::assertStringContainsString('_id must be an id', $error->getMessage());
            }
        }
        self::assertSame([], $this->transport->requests);
    }

    /** @return list<array{string}> */
    public static function badIds(): array
    {
        return [[''], ['.'], ['..']];
    }

    public function testNullClearsAProfileFieldAndAnAbsentFieldIsNotSent(): void
    {
        $user = self::example('operations', 'updateProfile')['reference']['data'];
        $client = $this->client(self::success($user), self::success($user));
        $client->users->updateProfile(bio: null, website: 'https://example.com/é');
        $client->users->updateProfile();
        [$first, $second] = $this->transport->requests;
        self::assertSame(['PUT', '/users/profile'], [$first->method, $this->urls()[0]]);
        self::assertSame('{"bio":null,"website":"https://example.com/é"}', $first->body);
        self::assertSame('application/json', $first->headers()['Content-Type']);
        self::assertSame('{}', $second->body);
    }

    public function testEachCallHasItsOwnIdempotencyKey(): void
    {
        $order = self::example('operations', 'createOrder')['reference']['data'];
        $client = $this->client(self::success($order), self::success($order), self::success($order));
        $client->orders->create(beatId: 1, paymentMethod: 'pm_card_visa');
        $client->orders->create(beatId: 1, paymentMethod: 'pm_card_visa', licenseType: LicenseType::Premium);
        $client->orders->create(beatId: 1, paymentMethod: 'pm_card_visa', idempotencyKey: 'mine');
        [$first, $second, $third] = $this->transport->requests;
        self::assertSame('{"beat_id":1,"payment_method":"pm_card_visa"}', $first->body);
        self::assertSame('{"beat_id":1,"payment_method":"pm_card_visa","license_type":"premium"}', $second->body);
        self::assertMatchesRegularExpression(self::UUID, $first->headers()['Idempotency-Key']);
        self::assertMatchesRegularExpression(self::UUID, $second->headers()['Idempotency-Key']);
        self::assertNotSame($first->headers()['Idempotency-Key'], $second->headers()['Idempotency-Key']);
        self::assertSame('mine', $third->headers()['Idempotency-Key']);
    }

    public function testANewBeatSendsOnlyTheGivenFields(): void
    {
        $beat = self::example('operations', 'createBeat')['reference']['data'];
        $client = $this->client(self::success($beat, ['etag' => '"v1"']), self::success($beat));
        $made = $client->beats->create('T', 'Ambient', 'upl_1', 30.0, licensePrices: ['premium' => 60], tags: ['é'], idempotencyKey: 'mine');
        $client->beats->create('T', 3, 'upl_1', 29.9, licensePrices: []);
        [$first, $second] = $this->transport->requests;
        self::assertSame(['POST', '/beats', '"v1"'], [$first->method, $this->urls()[0], $made->response()?->etag]);
        self::assertSame('{"title":"T","genre":"Ambient","audio":"upl_1","price":30,"license_prices":{"premium":60},"tags":["é"]}', $first->body);
        self::assertSame('{"title":"T","genre":3,"audio":"upl_1","price":29.9,"license_prices":{}}', $second->body);
        self::assertSame('mine', $first->headers()['Idempotency-Key']);
        self::assertMatchesRegularExpression(self::UUID, $second->headers()['Idempotency-Key']);
    }

    public function testAChangeOfABeatSendsNullAndIfMatchAndOmitsAbsentFields(): void
    {
        $beat = self::success(self::example('operations', 'updateBeat')['reference']['data']);
        $client = $this->client($beat, $beat, $beat, $beat);
        $client->beats->update(1, price: 35, description: null, ifMatch: '"v1"');
        $client->beats->update('1', licensePrices: null, status: 'published');
        $client->beats->withdraw(1, ifMatch: '"v2"');
        $client->beats->withdraw(1);
        $sent = array_map(
            static fn ($request): array => [$request->method, $request->headers()['If-Match'] ?? null, $request->body],
            $this->transport->requests,
        );
        self::assertSame([
            ['PATCH', '"v1"', '{"price":35,"description":null}'],
            ['PATCH', null, '{"license_prices":null,"status":"published"}'],
            ['DELETE', '"v2"', null],
            ['DELETE', null, null],
        ], $sent);
        self::assertSame(['/beats/1'], array_values(array_unique($this->urls())));
    }

    public function testOwnBeatsAreListedByStatus(): void
    {
        $beats = self::example('operations', 'listOwnBeats')['reference']['data'];
        $page = $this->client(self::success($beats))->users->myBeats(limit: 2, status: 'draft');
        self::assertSame($beats['beats'][0]['status'], $page->data[0]->status);
        self::assertSame(['/users/me/beats?limit=2&status=draft'], $this->urls());
    }

    /** @dataProvider badKeys */
    public function testAnInvalidIdempotencyKeyThrowsBeforeAnyRequest(string $key): void
    {
        $client = $this->client();
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('idempotencyKey must be 1 to 255');
        $client->orders->create(beatId: 1, paymentMethod: 'pm_card_visa', idempotencyKey: $key);
    }

    /** @return list<array{string}> */
    public static function badKeys(): array
    {
        return [[''], ["a\r\nX-Evil: 1"], ["a\n"], ['é'], ["\0"], ['a b'], [str_repeat('x', 256)]];
    }

    public function testARawRequestHasApiKeyAndIdempotencyKey(): void
    {
        $client = $this->client(self::response('{"status":"success","data":{"x":1}}', 201, ['x-request-id' => 'r1', 'x-new' => 'y']));
        $response = $client->request('POST', '/orders', ['dry' => true, 'no' => null], ['beat_id' => 1], ['accept' => 'text/plain']);
        $request = $this->transport->requests[0];
        self::assertSame(['/orders?dry=true'], $this->urls());
        self::assertSame('{"beat_id":1}', $request->body);
        self::assertSame('text/plain', $request->headers()['accept']);
        self::assertArrayNotHasKey('Accept', $request->headers());
        self::assertMatchesRegularExpression(self::UUID, $request->headers()['Idempotency-Key']);
        self::assertSame([201, 'r1', 'y', null], [$response->status, $response->requestId, $response->header('X-New'), $response->header('Etag')]);
        self::assertSame(['status' => 'success', 'data' => ['x' => 1]], $response->body);
        self::assertSame('{"status":"success","data":{"x":1}}', $response->rawBody);
    }

    public function testARawRequestMayHaveAResponseWithoutABody(): void
    {
        self::assertSame(204, $this->client(self::response('', 204))->request('DELETE', '/uploads/upl_1')->status);
    }

    /**
     * @testWith [""]
     *           ["\"v1\"\u000d\u000aX-Evil: 1"]
     *           ["\"v 1\""]
     */
    public function testAnInvalidIfMatchSendsNothing(string $ifMatch): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('The ifMatch must be');
        $this->client()->beats->update(1, price: 2, ifMatch: $ifMatch);
    }

    public function testAHeaderWithALineBreakIsNamed(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('The header X-A must be');
        $this->client()->request('GET', '/beats', headers: ['X-A' => "a\n"]);
    }

    /**
     * @dataProvider badRequests
     *
     * @param array<string, mixed>  $query
     * @param array<string, string> $headers
     */
    public function testAnInvalidRawRequestThrows(
        string $method,
        string $path,
        array $query = [],
        mixed $body = null,
        array $headers = [],
    ): void {
        $client = $this->client();
        $this->expectException(InvalidArgumentException::class);
        $client->request($method, $path, $query, $body, $headers);
    }

    /** @return array<string, array<mixed>> */
    public static function badRequests(): array
    {
        return [
            'no method' => ['', '/beats'],
            'two methods' => ["GET / HTTP/1.1\r\nX:", '/beats'],
            'another origin' => ['GET', 'https://evil.example/beats'],
            'another host' => ['GET', '//evil.example/beats'],
            'without a slash' => ['GET', 'beats'],
            'upwards' => ['GET', '/../admin'],
            'upwards at the end' => ['GET', '/beats/..'],
            'a space' => ['GET', '/beats a'],
            'a line break' => ['GET', "/beats\r\nX: y"],
            'a fragment' => ['GET', '/beats#a'],
            'a list of lists in the query' => ['GET', '/beats', ['genre' => [[1], 2]]],
            'no text' => ['POST', '/orders', [], "\xff"],
            'another key' => ['GET', '/beats', [], null, ['authorization' => 'Bearer x']],
            'a header with a line break' => ['GET', '/beats', [], null, ['X-A' => "a\r\nb: c"]],
            'a header without a name' => ['GET', '/beats', [], null, ['' => 'a']],
        ];
    }
}
