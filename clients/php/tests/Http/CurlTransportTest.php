<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\CurlTransport;
use BeatMarket\Test\Double\Server;
use PHPUnit\Framework\TestCase;

final class CurlTransportTest extends TestCase
{
    private static ?Server $server = null;
    private static string $url;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server();
        self::$url = self::$server->url;
    }

    public static function tearDownAfterClass(): void
    {
        self::$server = null;
    }

    public function testSendsARequestAndReadsItsResponse(): void
    {
        $response = self::client()->request('PUT', '/echo/%2F..%2F', ['q' => 'a&b=c +#é'], ['ü' => "\u{1F3B5}"], ['X-Mine' => 'yes']);
        $seen = $response->body['data'];
        self::assertSame(['PUT', '/echo/%2F..%2F?q=a%26b%3Dc%20%2B%23%C3%A9'], [$seen['method'], $seen['path']]);
        self::assertSame('{"ü":"🎵"}', $seen['body']);
        self::assertSame(['Bearer bm_key', 'yes'], [$seen['headers']['authorization'], $seen['headers']['x-mine']]);
        self::assertArrayNotHasKey('expect', $seen['headers']);
        self::assertSame('a, b', $response->header('X-Two'));
    }

    public function testARequestIsIndependentOfThePreviousOne(): void
    {
        $client = self::client();
        $client->request('POST', '/echo', body: ['a' => 1]);
        $seen = $client->request('GET', '/echo')->body['data'];
        self::assertSame(['GET', ''], [$seen['method'], $seen['body']]);
        self::assertArrayNotHasKey('content-type', $seen['headers']);
        self::assertSame('7', $client->request('HEAD', '/echo')->header('content-length'));
        self::assertSame('DELETE', $client->request('DELETE', '/echo')->body['data']['method']);
        self::assertSame('GET', $client->request('GET', '/echo')->body['data']['method']);
    }

    public function testSendsALargeBodyWithoutExpectContinue(): void
    {
        $body = ['text' => str_repeat('x', 3_000_000)];
        self::assertSame(strlen((string) json_encode($body)), strlen(self::client()->request('POST', '/echo', body: $body)->body['data']['body']));
    }

    public function testReusesTheConnection(): void
    {
        $client = self::client();
        $first = $client->request('GET', '/echo')->body['data']['accepted'];
        for ($i = 0; $i < 20; ++$i) {
            self::assertSame($first, $client->with(timeout: 5)->request('GET', '/echo')->body['data']['accepted']);
        }
    }

    public function testAForkOpensItsOwnConnectionAndKeepsTheParentsIntact(): void
    {
        $client = self::client();
        $first = $client->request('GET', '/echo')->body['data']['accepted'];
        $processId = pcntl_fork();
        if ($processId === 0) {
            $seen = $client->request('GET', '/echo?child')->body['data'];
            // Ends the child without PHPUnit's own shutdown.
            posix_kill((int) getmypid(), $seen['accepted'] === $first + 1 && $seen['path'] === '/echo?child' ? SIGKILL : SIGTERM);
        }
        pcntl_waitpid($processId, $status);
        self::assertSame(SIGKILL, pcntl_wtermsig($status));
        self::assertSame($first + 1, $client->request('GET', '/echo')->body['data']['accepted']);
    }

    public function testDoesNotFollowRedirects(): void
    {
        try {
            self::client()->request('GET', '/elsewhere');
            self::fail('It was followed.');
        } catch (APIStatusException $error) {
            self::assertSame([302, '/echo'], [$error->status, $error->response->header('location')]);
            self::assertStringContainsString('is baseUrl right?', $error->getMessage());
        }
    }

    public function testSkipsInterimResponses(): void
    {
        $response = self::client()->request('GET', '/interim');
        self::assertSame([200, null, 'a, b'], [$response->status, $response->header('x-early'), $response->header('x-two')]);
    }

    public function testDecompressesResponses(): void
    {
        self::assertSame([7], self::client()->request('GET', '/gzip')->body);
    }

    /** @dataProvider stalls */
    public function testTheTimeoutCoversTheWholeAttempt(string $path): void
    {
        $this->expectException(APITimeoutException::class);
        $this->expectExceptionMessage('0.2 seconds');
        self::client(timeout: 0.2)->request('GET', $path);
    }

    /** @return list<array{string}> */
    public static function stalls(): array
    {
        return [['/stall'], ['/stall-body']];
    }

    /** @dataProvider breaks */
    public function testKeepsTheCauseOfAnIncompleteResponse(string $path): void
    {
        try {
            self::client()->request('GET', $path);
            self::fail('There was a response.');
        } catch (APIConnectionException $error) {
            self::assertNotInstanceOf(APITimeoutException::class, $error);
            self::assertNotSame('', $error->getPrevious()?->getMessage());
            self::assertStringNotContainsString('bm_key', (string) $error);
            self::assertSame($path === '/endless', $error->getPrevious()->getMessage() === 'The response is too long');
        }
    }

    /** @dataProvider repeats */
    public function testCurlRepeatsNothingWhenAKeptConnectionBreaks(string $method, ?array $body, int $retries, int $arrivals): void
    {
        $client = self::client()->with(maxRetries: $retries);
        $first = $client->request('GET', '/echo')->body['data'];
        for ($i = 1; $i <= 2; ++$i) { // curl must not repeat the request on the handle's second connection either.
            try {
                $client->request($method, '/drop', body: $body);
                self::fail('There was a response.');
            } catch (APIConnectionException $error) {
                self::assertNotInstanceOf(APITimeoutException::class, $error);
                if ($retries === 0) {
                    self::assertSame('Empty reply from server', $error->getPrevious()?->getMessage());
                }
            }
            $after = $client->request('GET', '/echo')->body['data'];
            // New connections: one for each retry of the client, and this request's.
            self::assertSame($first['accepted'] + $arrivals * $i, $after['accepted']);
            self::assertSame($first['requests'] + ($arrivals + 1) * $i, $after['requests']);
        }
    }

    /** @return array<string, array{string, array<string, int>|null, int, int}> */
    public static function repeats(): array
    {
        return [
            'POST' => ['POST', ['a' => 1], 0, 1],
            'POST without a body' => ['POST', null, 0, 1],
            'PATCH' => ['PATCH', ['a' => 1], 0, 1],
            'PUT' => ['PUT', null, 0, 1],
            'DELETE' => ['DELETE', null, 0, 1],
            'GET with a body' => ['GET', ['a' => 1], 0, 1],
            'GET that is not retried' => ['GET', null, 0, 1],
            'GET' => ['GET', null, 1, 2], // The client retries it.
            'POST that is retried' => ['POST', null, 1, 2],
        ];
    }

    /** @return list<array{string}> */
    public static function breaks(): array
    {
        return [['/cut'], ['/drop'], ['/nonsense'], ['/endless']];
    }

    public function testRetriesARefusedConnection(): void
    {
        $waits = [];
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($socket);
        $address = stream_socket_get_name($socket, false);
        fclose($socket);
        $client = new Client(apiKey: 'bm_key', baseUrl: "http://{$address}", sleep: static function (float $wait) use (&$waits): void {
            $waits[] = $wait;
        });
        try {
            $client->request('GET', '/echo');
            self::fail('There was a response.');
        } catch (APIConnectionException $error) {
            self::assertSame(7, $error->getPrevious()?->getCode());
        }
        self::assertCount(2, $waits);
    }

    public function testAMissingCaFileThrowsImmediately(): void
    {
        $this->expectException(InvalidArgumentException::class);
        new CurlTransport('/nowhere/ca.pem');
    }

    private static function client(float $timeout = 10): Client
    {
        return new Client(apiKey: 'bm_key', baseUrl: self::$url, timeout: $timeout, maxRetries: 0, sleep: static fn (): mixed => null);
    }
}
