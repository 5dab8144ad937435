<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Http\Psr18Transport;
use BeatMarket\Test\Double\Server;
use GuzzleHttp\Client as GuzzleClient;
use GuzzleHttp\Psr7\HttpFactory;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;

/** An exception like the one of Symfony's Psr18Client, whose cause is the timeout. */
final class NetworkError extends \RuntimeException implements ClientExceptionInterface
{
}

final class IdleTimeout extends \RuntimeException
{
}

final class Psr18TransportTest extends TestCase
{
    private Server $server;

    protected function setUp(): void
    {
        $this->server = new Server();
    }

    public function testSendsARequestAndReadsItsResponse(): void
    {
        $response = $this->client($this->server->url)->request('POST', '/echo', ['q' => 'a b'], ['ü' => 1]);
        $seen = $response->body['data'];
        self::assertSame(['POST', '/echo?q=a%20b', '{"ü":1}'], [$seen['method'], $seen['path'], $seen['body']]);
        self::assertSame(['Bearer bm_key', 'application/json'], [$seen['headers']['authorization'], $seen['headers']['content-type']]);
        self::assertSame([200, 'a, b'], [$response->status, $response->header('x-two')]);
    }

    public function testAGuzzleClientCanBePassedWithoutFactories(): void
    {
        $client = new Client('bm_key', $this->server->url, transport: new GuzzleClient(['timeout' => 5]));
        self::assertSame('/echo', $client->request('GET', '/echo')->body['data']['path']);
    }

    public function testAConnectionErrorKeepsItsCauseWithoutTheKey(): void
    {
        try {
            $this->client($this->server->url)->request('GET', '/cut');
            self::fail('There was a response.');
        } catch (APIConnectionException $error) {
            self::assertStringContainsString('GuzzleHttp', (string) $error->getPrevious()?->getMessage());
            self::assertStringNotContainsString('bm_key', (string) $error);
            self::assertSame(\RuntimeException::class, $error->getPrevious() === null ? null : $error->getPrevious()::class);
        }
    }

    /** @dataProvider stalls */
    public function testATimeoutOfTheHttpClientThrowsAPITimeoutException(string $path, bool $isStream): void
    {
        $this->expectException(APITimeoutException::class);
        $this->expectExceptionMessage('in the time that the HTTP client allows');
        $this->client($this->server->url, ['timeout' => 0.2, 'stream' => $isStream])->request('GET', $path);
    }

    /** @return list<array{string, bool}> */
    public static function stalls(): array
    {
        return [['/stall', false], ['/stall-body', false]];
    }

    public function testATimeoutIsFoundAmongTheCausesToo(): void
    {
        $http = $this->createStub(ClientInterface::class);
        $http->method('sendRequest')->willThrowException(new NetworkError('Idle', 0, new IdleTimeout('Idle')));
        $factory = new HttpFactory();
        $this->expectException(APITimeoutException::class);
        (new Client('bm_key', maxRetries: 0, transport: new Psr18Transport($http, $factory, $factory)))->genres->list();
    }

    public function testAnUntrustedCertificateIsNotRetried(): void
    {
        $http = $this->createMock(ClientInterface::class);
        $http->expects(self::once())->method('sendRequest')
            ->willThrowException(new NetworkError('cURL error 60: SSL certificate problem (see https://curl.se) for https://localhost/timed out'));
        $factory = new HttpFactory();
        try {
            (new Client('bm_key', transport: new Psr18Transport($http, $factory, $factory)))->genres->list();
            self::fail('It was trusted.');
        } catch (APIConnectionException $error) {
            self::assertNotInstanceOf(APITimeoutException::class, $error);
            self::assertStringContainsString('certificate', $error->getMessage());
        }
    }

    /** @param array<string, mixed> $settings */
    private function client(string $url, array $settings = ['timeout' => 10]): Client
    {
        $factory = new HttpFactory();
        $transport = new Psr18Transport(new GuzzleClient($settings), $factory, $factory);

        return new Client(apiKey: 'bm_key', baseUrl: $url, maxRetries: 0, transport: $transport);
    }
}
