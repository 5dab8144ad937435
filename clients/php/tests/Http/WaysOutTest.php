<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Http\Request;
use BeatMarket\RequestInfo;
use BeatMarket\Response;
use BeatMarket\ResponseInfo;
use BeatMarket\Test\ClientCase;
use BeatMarket\Testing\FakeTransport;

/** Headers and fields that a caller adds to calls, and the reports of attempts. */
final class WaysOutTest extends ClientCase
{
    public function testDefaultHeadersAndTheSuffixAreInEveryAttempt(): void
    {
        $this->with(['headers' => ['X-Tenant' => 'a'], 'userAgentSuffix' => 'my-shop/1.2 (x)'], self::failure(503), self::one())->beats->get(1);
        foreach ($this->transport->requests as $request) {
            self::assertSame('a', $request->headers()['X-Tenant']);
            self::assertMatchesRegularExpression('~^beatmarket-php/\S+ php/\S+ my-shop/1\.2 \(x\)$~', $request->headers()['User-Agent']);
        }
        self::assertCount(2, $this->transport->requests);
    }

    public function testARawRequestOverridesDefaultHeaders(): void
    {
        $this->with(['headers' => ['X-Tenant' => 'a']], self::one())->request('GET', '/beats/1', headers: ['x-tenant' => 'b']);
        self::assertSame('b', array_change_key_case($this->transport->requests[0]->headers())['x-tenant']);
    }

    /**
     * @dataProvider mistakes
     *
     * @param array<string, mixed> $options
     */
    public function testAnInvalidOptionThrowsWithTheReason(array $options, string $sentence): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage($sentence);
        $this->with($options, self::one());
    }

    /** @return iterable<string, array{array<string, mixed>, string}> */
    public static function mistakes(): iterable
    {
        foreach (['Accept', 'authorization', 'Content-Type', 'idempotency-key', 'If-Match', 'Range', 'upload-offset', 'User-Agent', 'x-api-key'] as $name) {
            yield $name => [['headers' => [$name => 'x']], "The client sets the header {$name} itself"];
        }
        yield 'no name' => [['headers' => ['x y' => '1']], 'empty or invalid'];
        yield 'a line break' => [['headers' => ['x-y' => "1\r\nx-z: 2"]], 'The header x-y must be visible ASCII'];
        yield 'a suffix of two lines' => [['userAgentSuffix' => "a\nb"], 'userAgentSuffix must be like my-shop/1.2'];
        yield 'an empty suffix' => [['userAgentSuffix' => ' '], 'userAgentSuffix must be like my-shop/1.2'];
        yield 'plain http' => [['baseUrl' => 'http://prism:4010/v1'], 'allowHttp: true'];
        yield 'another scheme' => [['baseUrl' => 'ftp://prism/v1', 'allowHttp' => true], 'must be an address'];
    }

    public function testACopyRefusesTheSameHeaders(): void
    {
        $this->expectExceptionMessage('The client sets the header User-Agent itself');
        $this->client(self::one())->with(headers: ['User-Agent' => 'x']);
    }

    public function testPlainHttpIsAcceptedIfAllowed(): void
    {
        $this->with(['baseUrl' => 'http://prism:4010/v1', 'allowHttp' => true], self::one())->beats->get(1);
        self::assertSame('http://prism:4010/v1/beats/1', $this->transport->requests[0]->url);
    }

    public function testACallCanAddHeadersQueryAndBodyFields(): void
    {
        $client = $this->with(['headers' => ['x-tenant' => 'a', 'x-region' => 'eu']], self::success(['order' => ['id' => 1]]), self::success(['order' => ['id' => 1]]));
        $more = $client->with(headers: ['X-Tenant' => 'b'], query: ['preview' => true], body: ['note' => 'for Ana']);
        $more->orders->create(beatId: 2, paymentMethod: 'pm');
        $client->orders->get(1);
        [$first, $second] = $this->transport->requests;
        self::assertSame(['/orders?preview=true', '/orders/1'], $this->urls());
        self::assertSame(['b', 'eu'], [$first->headers()['x-tenant'], $first->headers()['x-region']]);
        self::assertSame('{"beat_id":2,"payment_method":"pm","note":"for Ana"}', $first->body);
        self::assertSame('a', $second->headers()['x-tenant']);
    }

    public function testAFieldOfAnArgumentThatIsNotPassedCanBeAdded(): void
    {
        $page = self::success(['beats' => [], 'pagination' => ['total' => 0, 'next_page_url' => null]]);
        $client = $this->client($page, self::success(['order' => ['id' => 1]]));
        $client->with(query: ['sort' => 'popular'])->beats->list(limit: 2);
        $client->with(body: ['currency' => 'USD'])->orders->create(beatId: 1, paymentMethod: 'pm');
        self::assertSame(['/beats?limit=2&sort=popular', '/orders'], $this->urls());
        self::assertSame('{"beat_id":1,"payment_method":"pm","currency":"USD"}', $this->transport->requests[1]->body);
    }

    public function testOptionsOfSeveralCopiesAreMerged(): void
    {
        $this->client(self::one())->with(query: ['a' => 1, 'b' => 1])->with(timeout: 5, query: ['b' => 2])->beats->get(1);
        self::assertSame(['/beats/1?b=2&a=1'], $this->urls());
        self::assertSame(5.0, $this->transport->requests[0]->timeoutSeconds);
    }

    public function testAllPagesOfAListHaveTheAddedHeadersAndQuery(): void
    {
        $page = static fn (int $id, ?string $next): Response => self::success(['beats' => [['id' => $id]], 'pagination' => ['total' => 2, 'next_page_url' => $next]]);
        $client = $this->client($page(1, self::BASE_URL . '/beats?page=2&b=9'), $page(2, null));
        $beats = $client->with(headers: ['x-tenant' => 'a'], query: ['a' => 'x y', 'b' => 9])->beats->list(limit: 1);
        self::assertCount(2, iterator_to_array($beats));
        self::assertSame(['/beats?limit=1&a=x%20y&b=9', '/beats?page=2&b=9&a=x%20y'], $this->urls());
        self::assertSame(['a', 'a'], array_map(static fn (Request $request): string => $request->headers()['x-tenant'], $this->transport->requests));
    }

    /**
     * @dataProvider refusals
     *
     * @param array<string, mixed>      $options
     * @param \Closure(Client): mixed $call
     */
    public function testAFieldThatACallCannotHaveIsRefusedBeforeAnyRequest(array $options, \Closure $call, string $sentence): void
    {
        $client = $this->client(self::one());
        try {
            $call($client->with(...$options));
            self::fail('It was sent.');
        } catch (InvalidArgumentException $error) {
            self::assertStringContainsString($sentence, $error->getMessage());
        }
        self::assertSame([], $this->transport->requests);
    }

    /** @return array<string, array{array<string, mixed>, \Closure(Client): mixed, string}> */
    public static function refusals(): array
    {
        return [
            'query' => [['query' => ['limit' => 5]], static fn (Client $client) => $client->beats->list(limit: 4), 'This call sends limit itself'],
            'given path' => [['query' => ['a' => 1]], static fn (Client $client) => $client->request('GET', '/beats?a=2'), 'This call sends a itself'],
            'body' => [
                ['body' => ['beat_id' => 2]],
                static fn (Client $client) => $client->orders->create(beatId: 1, paymentMethod: 'pm'),
                'This call sends beat_id itself',
            ],
            'no body' => [['body' => ['a' => 1]], static fn (Client $client) => $client->beats->get(1), 'no JSON object to add a to'],
        ];
    }

    public function testHooksSeeEachAttemptWithoutTheKey(): void
    {
        $reports = [];
        $hook = static function (RequestInfo $info) use (&$reports): void {
            $reports[] = $info;
        };
        $answers = [new APIConnectionException('lost'), self::failure(503), self::one(['x-request-id' => 'req_1'])];
        $this->with(['onRequest' => $hook, 'onResponse' => $hook], ...$answers)->with(query: ['secret' => 's'])->beats->get(7);
        self::assertSame([RequestInfo::class, ResponseInfo::class, RequestInfo::class, ResponseInfo::class, RequestInfo::class, ResponseInfo::class], array_map(get_class(...), $reports));
        self::assertSame([1, 1, 2, 2, 3, 3], array_column($reports, 'attempt'));
        self::assertSame(array_fill(0, 6, ['GET', '/v1/beats/7', 'getBeat']), array_map(static fn (RequestInfo $info) => [$info->method, $info->path, $info->operation], $reports));
        self::assertSame([null, 503, 200], [$reports[1]->status, $reports[3]->status, $reports[5]->status]);
        self::assertSame([$answers[0], null], [$reports[1]->error, $reports[5]->error]);
        self::assertInstanceOf(ServerException::class, $reports[3]->error);
        self::assertSame('req_1', $reports[5]->requestId);
        self::assertGreaterThanOrEqual(0, $reports[5]->durationMs);
        self::assertSame('Bearer bm_…' . substr(self::KEY, -4), $reports[0]->requestHeaders['authorization']);
        self::assertStringNotContainsString(self::KEY, json_encode(array_column($reports, 'requestHeaders'), JSON_THROW_ON_ERROR));
    }

    public function testAShortKeyIsMaskedCompletely(): void
    {
        $reports = null;
        $hook = static function (RequestInfo $info) use (&$reports): void {
            $reports = $info;
        };
        $this->with(['apiKey' => 'bm_test', 'onRequest' => $hook], self::one())->request('GET', '/beats/1');
        self::assertSame(['Bearer bm_…', null], [$reports?->requestHeaders['authorization'], $reports?->operation]);
    }

    /** @dataProvider hookFailures */
    public function testACallThrowsTheExceptionOfItsHook(string $hook, \Throwable $error): void
    {
        $client = $this->with([$hook => static fn (): never => throw $error], self::one());
        try {
            $client->beats->get(1);
            self::fail('Nothing was thrown.');
        } catch (\Throwable $thrown) {
            self::assertSame($error, $thrown);
        }
        self::assertSame([], $this->waits);
        self::assertCount($hook === 'onResponse' ? 1 : 0, $this->transport->requests);
    }

    /** @return iterable<array{string, \Throwable}> */
    public static function hookFailures(): iterable
    {
        foreach (['onRequest', 'onResponse'] as $hook) {
            yield [$hook, new \DomainException('own')];
            yield [$hook, new APITimeoutException('own')];
        }
    }

    public function testTheLogHasALineForEachAttempt(): void
    {
        $lines = explode("\n", trim($this->logged('info')));
        self::assertMatchesRegularExpression('~^beatmarket GET /v1/beats/1 APIConnectionError \d+ ms - attempt 1$~', $lines[0]);
        self::assertMatchesRegularExpression('~^beatmarket GET /v1/beats/1 503 \d+ ms - attempt 2$~', $lines[1]);
        self::assertMatchesRegularExpression('~^beatmarket GET /v1/beats/1 200 \d+ ms req_1 attempt 3$~', $lines[2]);
        self::assertCount(3, $lines);
    }

    public function testTheDebugLogHasHeadersButNoSecret(): void
    {
        $log = $this->logged(" DEBUG\n");
        foreach (['> x-tenant: a', '> cookie: …', '> authorization: Bearer bm_…fghi', '< set-cookie: …', '< x-request-id: req_1'] as $line) {
            self::assertStringContainsString("beatmarket {$line}\n", $log);
        }
        self::assertStringNotContainsString('s3cret', $log);
        self::assertStringNotContainsString('bm_0123456789abcdefghi', $log);
    }

    public function testAnUnknownLogLevelIsReportedOnceAndAnEmptyOneLogsNothing(): void
    {
        self::assertSame("beatmarket BEATMARKET_LOG is \"verbose\", which is not known: it takes info or debug.\n", $this->logged('verbose'));
        self::assertSame('', $this->logged(''));
    }

    /** The output of a program with this level on standard error. */
    private function logged(string $level): string
    {
        $program = <<<'PHP'
            use BeatMarket\Testing\FakeTransport;
            require getenv('BEATMARKET_AUTOLOAD');
            for ($twice = 0; $twice < 2; ++$twice) {
                $service = new FakeTransport(
                    new BeatMarket\Exception\APIConnectionException('lost'),
                    FakeTransport::error(503, 'server_error'),
                    FakeTransport::success(['beat' => ['id' => 1]], headers: ['x-request-id' => 'req_1', 'set-cookie' => 'a=s3cret']),
                );
                $headers = ['Cookie' => 'a=s3cret', 'X-Tenant' => 'a'];
                $client = new BeatMarket\Client('bm_0123456789abcdefghi', 'https://api.example.com/v1', transport: $service, sleep: fn () => null, headers: $headers);
                $twice < 1 || getenv('BEATMARKET_LOG') === 'verbose' ? $client->beats->get(1) : null;
            }
            PHP;
        $environment = ['BEATMARKET_LOG' => $level] + getenv();
        $process = proc_open([PHP_BINARY, '-r', $program], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes, null, $environment);
        self::assertIsResource($process);
        $log = (string) stream_get_contents($pipes[2]);
        self::assertSame('', stream_get_contents($pipes[1]));
        self::assertSame(0, proc_close($process), $log);

        return $log;
    }

    /** @param array<string, mixed> $options of the client */
    private function with(array $options, Response|APIConnectionException ...$responses): Client
    {
        $this->transport = new FakeTransport(...$responses);
        $waits = &$this->waits;
        $sleep = static function (float $seconds) use (&$waits): void {
            $waits[] = $seconds;
        };

        return new Client(...$options + ['apiKey' => self::KEY, 'baseUrl' => self::BASE_URL, 'transport' => $this->transport, 'sleep' => $sleep]);
    }

    /** @param array<string, string> $headers */
    private static function one(array $headers = []): Response
    {
        return self::success(['beat' => ['id' => 1]], $headers);
    }
}
