<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\AuthenticationException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\PermissionDeniedException;
use BeatMarket\Exception\PreconditionFailedException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Exception\ServerException;
use BeatMarket\RateLimit;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;

final class ErrorsTest extends ClientCase
{
    public function testGetCodeReturnsTheStatus(): void
    {
        $this->expectException(APIStatusException::class);
        $this->expectExceptionCode(404);
        $this->client(self::failure(404, 'not_found'))->beats->get(1);
    }

    /**
     * @dataProvider statuses
     *
     * @param class-string $class
     */
    public function testEachStatusThrowsItsClassWithAllFields(int $status, string $code, string $class): void
    {
        $headers = [
            'x-request-id' => 'r-1',
            'x-ratelimit-limit' => '100',
            'x-ratelimit-remaining' => '0',
            'x-ratelimit-reset' => '1795176000',
            'retry-after' => '120',
        ];
        $error = $this->error(self::failure($status, $code, $headers));
        self::assertSame($class, $error::class);
        self::assertInstanceOf(BeatMarketException::class, $error);
        self::assertSame(
            [$status, $code, 'It failed', 'Do something else.', 'r-1', 120],
            [$error->status, $error->errorCode, $error->errorMessage, $error->details, $error->requestId, $error->retryAfter],
        );
        self::assertEquals(new RateLimit(100, 0, 1795176000, 120), $error->rateLimit);
        self::assertSame("{$status} {$code}: It failed: Do something else. (request r-1)", $error->getMessage());
    }

    /** @return list<array{int, string, class-string}> */
    public static function statuses(): array
    {
        return [
            [400, 'invalid_request', InvalidRequestException::class],
            [401, 'unauthorized', AuthenticationException::class],
            [403, 'forbidden', PermissionDeniedException::class],
            [404, 'not_found', NotFoundException::class],
            [409, 'invalid_request', InvalidRequestException::class],
            [412, 'invalid_request', PreconditionFailedException::class],
            [413, 'invalid_request', InvalidRequestException::class],
            [418, 'teapot', APIStatusException::class],
            [422, 'not_found', NotFoundException::class],
            [429, 'rate_limit_exceeded', RateLimitException::class],
            [500, 'server_error', ServerException::class],
            [503, 'new_code', ServerException::class],
            [599, 'server_error', ServerException::class],
        ];
    }

    /** @dataProvider unknownForms */
    public function testAResponseOfAnUnknownFormIsAnErrorWithItsStatus(int $status, string $body): void
    {
        $error = $this->error(new Response($status, [], $body));
        self::assertSame([$status, null, null], [$error->status, $error->errorCode, $error->requestId]);
        self::assertNull($error->rateLimit);
        self::assertNotSame('', $error->errorMessage);
        self::assertSame($body, $error->response->rawBody);
    }

    /** @return array<string, array{int, string}> */
    public static function unknownForms(): array
    {
        return [
            'HTML of a gateway' => [502, '<html>Bad gateway</html>'],
            'HTML' => [200, '<html></html>'],
            'null' => [200, 'null'],
            'a number' => [200, '7'],
            'nothing' => [200, ''],
            'no content' => [204, ''],
            'a list' => [200, '[]'],
            'no status' => [200, '{"data":{"beat":{}}}'],
            'no data' => [200, '{"status":"success"}'],
            'data that is null' => [200, '{"status":"success","data":null}'],
            'no beat' => [200, '{"status":"success","data":{}}'],
            'a beat that is a text' => [200, '{"status":"success","data":{"beat":"x"}}'],
            'a truncated response' => [200, '{"status":"success","data":{"be'],
            'not UTF-8' => [200, "{\"status\":\"\xff\"}"],
            'too deep' => [200, str_repeat('[', 600) . str_repeat(']', 600)],
            'an error that is a text' => [418, '{"status":"error","error":"no"}'],
            'an error of numbers' => [418, '{"status":"error","error":{"code":1,"message":2,"details":3}}'],
            'elsewhere' => [302, ''],
        ];
    }

    public function testAnErrorOfAnotherServerShowsItsContentTypeAndBody(): void
    {
        $error = $this->error(new Response(502, ['content-type' => 'Text/HTML; charset=utf-8'], "<h1>Bad\n gateway</h1>\xff" . str_repeat('é', 300)));
        self::assertSame('text/html', $error->contentType);
        self::assertSame("<h1>Bad gateway</h1>\u{FFFD}" . str_repeat('é', 179) . '…', $error->excerpt);
        self::assertStringContainsString("text/html: {$error->excerpt}", $error->getMessage());
        $error = $this->error(new Response(502, [], ''));
        self::assertSame([null, ''], [$error->contentType, $error->excerpt]);
    }

    public function testAnErrorSentWithStatus200IsAnError(): void
    {
        $error = $this->error(self::failure(200, 'not_found'));
        self::assertSame([200, 'not_found', NotFoundException::class], [$error->status, $error->errorCode, $error::class]);
    }

    /** @dataProvider halfLimits */
    public function testIgnoresInvalidRateLimitHeaders(string $limit, ?string $reset): void
    {
        $headers = ['x-ratelimit-limit' => $limit, 'x-ratelimit-remaining' => '1', 'x-ratelimit-reset' => $reset];
        $response = self::success(['beat' => self::beat()], array_filter($headers, 'is_string'));
        self::assertNull($this->client($response)->beats->get(1)->response()?->rateLimit);
    }

    /** @return list<array{string, string|null}> */
    public static function halfLimits(): array
    {
        return [['many', '1'], ['-1', '1'], ['', '1'], ['1.5', '1'], ['10', null]];
    }

    private function error(Response $response): APIStatusException
    {
        try {
            $this->client($response)->with(maxRetries: 0)->beats->get(1);
        } catch (APIStatusException $error) {
            return $error;
        }
        self::fail('There was no error.');
    }
}
