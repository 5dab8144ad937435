<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;

/** If it is unknown whether a call took effect, a caller can repeat it with the same key. */
final class IdempotencyTest extends ClientCase
{
    /** @dataProvider failures */
    public function testAnErrorHasTheKeyOfItsRequest(Response|APIConnectionException $failure): void
    {
        $client = $this->client($failure, $failure, self::failure(404), $failure)->with(maxRetries: 0);
        self::assertSame('cart-1', self::key(static fn () => $client->orders->create(1, 'pm_card_visa', idempotencyKey: 'cart-1')));
        $made = self::key(static fn () => $client->orders->create(1, 'pm_card_visa'));
        self::assertMatchesRegularExpression('/^[0-9a-f-]{36}$/', (string) $made);
        self::assertSame($made, $this->transport->requests[1]->headers()['Idempotency-Key']);
        self::assertNull(self::key(static fn () => $client->beats->get(1)));
        self::assertSame('x', self::key(static fn () => $client->request('POST', '/orders', headers: ['idempotency-KEY' => 'x'])));
    }

    /** @return array<string, array{Response|APIConnectionException}> */
    public static function failures(): array
    {
        return [
            'an error' => [self::failure(503)],
            'no response' => [new APIConnectionException('lost')],
            'an unknown form' => [new Response(200, [], '<html>')],
        ];
    }

    public function testAllAttemptsHaveTheKeyOfTheError(): void
    {
        $client = $this->client(new APIConnectionException('lost'), self::failure(500), self::failure(400));
        $key = self::key(static fn () => $client->orders->create(1, 'pm_card_visa'));
        self::assertSame([$key, $key, $key], array_map(static fn ($sent) => $sent->headers()['Idempotency-Key'], $this->transport->requests));
    }

    public function testAResponseHasTheKeyToo(): void
    {
        $order = self::example('operations', 'createOrder')['reference']['data'];
        $client = $this->client(self::success($order));
        self::assertSame('k', $client->orders->create(1, 'pm_card_visa', idempotencyKey: 'k')->response()?->idempotencyKey);
    }

    /**
     * @testWith [""]
     *           ["a b"]
     *           ["é"]
     *           ["a\u000ab"]
     */
    public function testAnInvalidIdempotencyKeySendsNothing(string $key): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('The idempotencyKey must be');
        $this->client()->orders->create(1, 'pm_card_visa', idempotencyKey: $key);
    }

    private static function key(\Closure $call): ?string
    {
        try {
            $call();
        } catch (APIStatusException | APIConnectionException $error) {
            return $error->idempotencyKey;
        }
        self::fail('There was no error.');
    }
}
