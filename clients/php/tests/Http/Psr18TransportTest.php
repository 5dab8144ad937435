<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Http\Psr18Transport;
use BeatMarket\Test\Double\Server;
use GuzzleHttp\Client as GuzzleClient;
use GuzzleHttp\Psr7\HttpFactory;
use PHPUnit\Framework\TestCase;

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

    private function client(string $url): Client
    {
        $factory = new HttpFactory();
        $transport = new Psr18Transport(new GuzzleClient(['timeout' => 10]), $factory, $factory);

        return new Client(apiKey: 'bm_key', baseUrl: $url, maxRetries: 0, transport: $transport);
    }
}
