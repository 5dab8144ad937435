<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Test\ClientCase;
use BeatMarket\Testing\FakeTransport;

final class ConstructionTest extends ClientCase
{
    private const VARIABLES = ['BEATMARKET_API_KEY', 'BEATMARKET_BASE_URL', 'BEATMARKET_CA_FILE'];

    protected function setUp(): void
    {
        foreach (self::VARIABLES as $name) {
            putenv($name);
            unset($_SERVER[$name], $_ENV[$name]);
        }
    }

    protected function tearDown(): void
    {
        $this->setUp();
    }

    /** @dataProvider noKeys */
    public function testAMissingKeyThrows(string|false|null $key): void
    {
        $this->expectException(BeatMarketException::class);
        $this->expectExceptionMessage('BEATMARKET_API_KEY');
        new Client(apiKey: $key);
    }

    /** @return array<string, array{string|false|null}> */
    public static function noKeys(): array
    {
        return ['absent' => [null], 'empty' => [''], 'getenv() of an unset variable' => [false]];
    }

    public function testAKeyWithALineBreakThrowsWithoutShowingIt(): void
    {
        try {
            new Client(apiKey: "bm_sec\nret");
            self::fail('The key was taken.');
        } catch (InvalidArgumentException $error) {
            self::assertStringContainsString('line break', $error->getMessage());
            self::assertStringNotContainsString('bm_sec', (string) $error);
        }
    }

    public function testWhiteSpaceAroundAKeyAndABaseUrlIsRemoved(): void
    {
        $transport = new FakeTransport(self::success([]));
        $client = new Client(apiKey: ' ' . self::KEY . "\r\n", baseUrl: "\thttps://spaced.example.com/v1\n", transport: $transport);
        $client->request('GET', '/beats');
        self::assertSame('https://spaced.example.com/v1/beats', $transport->requests[0]->url);
        self::assertSame('Bearer ' . self::KEY, $transport->requests[0]->headers()['Authorization']);
    }

    public function testSettingsComeFromTheEnvironment(): void
    {
        putenv('BEATMARKET_API_KEY=' . self::KEY);
        $_SERVER['BEATMARKET_BASE_URL'] = 'https://env.example.com/v1';
        $transport = new FakeTransport(self::success([]));
        (new Client(transport: $transport))->request('GET', '/beats');
        self::assertSame('https://env.example.com/v1/beats', $transport->requests[0]->url);
        self::assertSame('Bearer ' . self::KEY, $transport->requests[0]->headers()['Authorization']);
    }

    public function testTheCaFileOfTheEnvironmentIsUsed(): void
    {
        putenv('BEATMARKET_CA_FILE=/nowhere/ca.pem');
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('/nowhere/ca.pem');
        new Client(apiKey: self::KEY);
    }

    public function testACaFileTogetherWithATransportThrows(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('caFile is for ext-curl');
        new Client(apiKey: self::KEY, caFile: __FILE__, transport: new FakeTransport());
    }

    public function testTheDefaultBaseUrlIsTheLocalService(): void
    {
        $transport = new FakeTransport(self::success([]));
        (new Client(apiKey: self::KEY, transport: $transport))->request('GET', '/genres');
        self::assertSame('https://localhost:8443/v1/genres', $transport->requests[0]->url);
    }

    /** @dataProvider badBaseUrls */
    public function testAnInvalidBaseUrlThrows(string $baseUrl): void
    {
        $this->expectException(InvalidArgumentException::class);
        new Client(apiKey: self::KEY, baseUrl: $baseUrl);
    }

    /** @return list<array{string}> */
    public static function badBaseUrls(): array
    {
        return [
            [''], ['/v1'], ['ftp://api.example.com/v1'], ['http://api.example.com/v1'], ['http://localhost.example.com'],
            ['http://127.0.0.1.example.com'], ['https://user:word@api.example.com'], ["https://api.example.com\n/v1"],
            ['https://api.example.com/v1?x=1'], ['https:///v1'], ['https://api.example.com\\@evil.example'],
        ];
    }

    /** @dataProvider localBaseUrls */
    public function testABaseUrlIsNormalizedAndMayBePlainHttpForTheLocalMachine(string $baseUrl, string $url): void
    {
        $transport = new FakeTransport(self::success([]));
        (new Client(apiKey: self::KEY, baseUrl: $baseUrl, transport: $transport))->request('GET', '/beats');
        self::assertSame($url, $transport->requests[0]->url);
    }

    /** @return list<array{string, string}> */
    public static function localBaseUrls(): array
    {
        return [
            ['http://localhost:80/v1/', 'http://localhost/v1/beats'],
            ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/beats'],
            ['http://[::1]:8000/v1', 'http://[::1]:8000/v1/beats'],
            ['HTTPS://API.example.com:443/v1', 'https://api.example.com/v1/beats'],
        ];
    }

    /** @dataProvider badLimits */
    public function testAnInvalidLimitThrows(float $timeout, int $maxRetries, int $maxRetryAfter): void
    {
        $this->expectException(InvalidArgumentException::class);
        new Client(apiKey: self::KEY, timeout: $timeout, maxRetries: $maxRetries, maxRetryAfter: $maxRetryAfter);
    }

    /** @return list<array{float, int, int}> */
    public static function badLimits(): array
    {
        return [[0, 2, 60], [-1, 2, 60], [NAN, 2, 60], [INF, 2, 60], [30, -1, 60], [30, 2, -1]];
    }

    public function testWithReturnsACopyAndKeepsTheOriginal(): void
    {
        $client = $this->client(self::failure(503), self::success([]), self::success([]));
        $hasty = $client->with(timeout: 1.5, maxRetries: 0);
        try {
            $hasty->request('GET', '/beats');
            self::fail('It was retried.');
        } catch (BeatMarketException) {
        }
        $client->request('GET', '/beats');
        self::assertSame([1.5, 30.0], [$this->transport->requests[0]->timeoutSeconds, $this->transport->requests[1]->timeoutSeconds]);
    }

    public function testACaFileWithoutACertificateThrowsInTheConstructor(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('has no certificate');
        new Client(apiKey: self::KEY, caFile: __FILE__);
    }

    public function testAMethodMayBeWrittenInLowerCase(): void
    {
        $transport = new FakeTransport(self::success([]));
        self::assertSame(200, (new Client(apiKey: self::KEY, transport: $transport))->request('get', '/beats')->status);
        self::assertSame('GET', $transport->requests[0]->method);
    }
}
