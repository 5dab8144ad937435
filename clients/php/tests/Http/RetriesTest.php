<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;

final class RetriesTest extends ClientCase
{
    /** @dataProvider passing */
    public function testRetriesTemporaryFailures(Response|APIConnectionException $failure): void
    {
        $client = $this->client($failure, $failure, self::success(['beat' => self::beat(7)]));
        self::assertSame(7, $client->beats->get(7)->id);
        self::assertCount(2, $this->waits);
    }

    /** @return array<string, array{Response|APIConnectionException}> */
    public static function passing(): array
    {
        $failures = ['409 with Retry-After' => [self::failure(409, 'invalid_request', ['retry-after' => '1'])]];
        foreach ([408, 423, 429, 460, 500, 502, 503, 504] as $status) {
            $failures[$status] = [self::failure($status)];
        }

        return $failures + [
            'no connection' => [new APIConnectionException('refused')],
            'no time' => [new APITimeoutException('late')],
        ];
    }

    /** @dataProvider lasting */
    public function testDoesNotRetryPermanentFailures(Response|APIConnectionException $failure): void
    {
        $client = $this->client($failure, self::success(['beat' => self::beat()]));
        try {
            $client->beats->get(1);
            self::fail('It was retried.');
        } catch (APIStatusException | APIConnectionException) {
        }
        self::assertCount(1, $this->transport->requests);
    }

    /** @return array<string, array{Response|APIConnectionException}> */
    public static function lasting(): array
    {
        $failures = [];
        foreach ([302, 400, 401, 403, 404, 409, 413, 415, 418, 501] as $status) {
            $failures[$status] = [self::failure($status)];
        }

        return $failures + [
            '409 with nonsense' => [self::failure(409, 'invalid_request', ['retry-after' => 'soon'])],
            'a certificate nobody trusts' => [new APIConnectionException('untrusted', isRetryable: false)],
        ];
    }

    public function testThrowsTheErrorOfTheLastAttempt(): void
    {
        $client = $this->client(self::failure(503), self::failure(502), self::failure(500));
        try {
            $client->beats->get(1);
            self::fail('There was no error.');
        } catch (ServerException $error) {
            self::assertSame(500, $error->status);
        }
        self::assertCount(3, $this->transport->requests);
    }

    public function testBackoffDoublesUpToEightSecondsWithJitterOfAtMostHalf(): void
    {
        $client = $this->client(...array_fill(0, 8, new APIConnectionException('refused')))->with(maxRetries: 7);
        try {
            $client->beats->get(1);
            self::fail('There was no error.');
        } catch (APIConnectionException) {
        }
        foreach ([0.5, 1, 2, 4, 8, 8, 8] as $retry => $seconds) {
            self::assertLessThanOrEqual($seconds, $this->waits[$retry]);
            self::assertGreaterThanOrEqual($seconds / 2, $this->waits[$retry]);
        }
    }

    /** @dataProvider waits */
    public function testWaitsForTheTimeInRetryAfter(string $retryAfter, float $least, float $most): void
    {
        $retryAfter = str_replace('DATE', gmdate(DATE_RFC7231, time() + 50), $retryAfter);
        $client = $this->client(self::failure(429, headers: ['retry-after' => $retryAfter]), self::success(['beat' => self::beat()]));
        $client->beats->get(1);
        self::assertGreaterThanOrEqual($least, $this->waits[0]);
        self::assertLessThanOrEqual($most, $this->waits[0]);
    }

    /** @return array<string, array{string, float, float}> */
    public static function waits(): array
    {
        return [
            'seconds' => ['7', 7, 7],
            'at once' => ['0', 0, 0],
            'as long as allowed' => ['60', 60, 60],
            'a date' => ['DATE', 40, 50],
            'a date that is over' => ['Sun, 06 Nov 1994 08:49:37 GMT', 0.25, 0.5],
            'negative' => ['-5', 0.25, 0.5],
            'a fraction' => ['1.5', 0.25, 0.5],
            'garbage' => ['tomorrow', 0.25, 0.5],
            'an impossible date' => ['Sun, 99 Foo 2026 08:49:37 GMT', 0.25, 0.5],
            'nothing' => ['', 0.25, 0.5],
        ];
    }

    /** @dataProvider longWaits */
    public function testThrowsImmediatelyIfRetryAfterExceedsTheLimit(string $retryAfter, int $seconds): void
    {
        $client = $this->client(self::failure(429, 'rate_limit_exceeded', ['retry-after' => $retryAfter]));
        try {
            $client->beats->get(1);
            self::fail('It waited.');
        } catch (RateLimitException $error) {
            self::assertSame($seconds, $error->retryAfter);
        }
        self::assertSame([], $this->waits);
    }

    /** @return list<array{string, int}> */
    public static function longWaits(): array
    {
        return [['61', 61], ['3600', 3600], [str_repeat('9', 30), 999_999_999]];
    }

    public function testMaxRetryAfterCanBeSet(): void
    {
        $client = $this->client(self::failure(429, headers: ['retry-after' => '90']), self::success(['beat' => self::beat()]));
        $client->with(maxRetryAfter: 90)->beats->get(1);
        self::assertSame([90.0], $this->waits);
    }

    public function testAllAttemptsOfAnOrderShareOneIdempotencyKey(): void
    {
        $order = self::success(self::example('operations', 'createOrder')['reference']['data']);
        $client = $this->client(new APITimeoutException('late'), self::failure(503), $order);
        $client->orders->create(beatId: 1, paymentMethod: 'pm_card_visa');
        $keys = array_map(static fn ($request): string => $request->headers()['Idempotency-Key'], $this->transport->requests);
        self::assertCount(3, $keys);
        self::assertCount(1, array_unique($keys));
    }
}
