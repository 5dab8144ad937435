<?php

declare(strict_types=1);

namespace BeatMarket\Test;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Http\Request;
use BeatMarket\Response;
use BeatMarket\Testing\FakeTransport;
use PHPUnit\Framework\TestCase;

/** A client with scripted responses and waits that return at once. */
abstract class ClientCase extends TestCase
{
    protected const KEY = 'bm_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ';
    protected const BASE_URL = 'https://api.example.com/v1';

    /** @var list<float> seconds waited between tries */
    protected array $waits = [];

    /** @var list<string> */
    protected array $log = [];

    protected FakeTransport $transport;

    protected function client(Response|APIConnectionException ...$responses): Client
    {
        $this->transport = new FakeTransport(...$responses);
        // Static functions, so that dumping the client does not dump the whole test run.
        $log = &$this->log;
        $waits = &$this->waits;

        return new Client(
            apiKey: self::KEY,
            baseUrl: self::BASE_URL,
            logger: static function (string $level, string $message, array $context) use (&$log): void {
                $log[] = "{$level} {$message} " . json_encode($context, JSON_THROW_ON_ERROR);
            },
            transport: $this->transport,
            sleep: static function (float $seconds) use (&$waits): void {
                $waits[] = $seconds;
            },
        );
    }

    /** @param array<string, string> $headers */
    protected static function response(mixed $body, int $status = 200, array $headers = []): Response
    {
        return new Response($status, $headers, is_string($body) ? $body : json_encode($body, JSON_THROW_ON_ERROR));
    }

    /**
     * @param array<string, mixed>  $data
     * @param array<string, string> $headers
     */
    protected static function success(array $data, array $headers = []): Response
    {
        return self::response(['status' => 'success', 'data' => $data], 200, $headers);
    }

    /** @param array<string, string> $headers */
    protected static function failure(int $status, string $code = 'server_error', array $headers = []): Response
    {
        $error = ['code' => $code, 'message' => 'It failed', 'details' => 'Do something else.'];

        return self::response(['status' => 'error', 'error' => $error], $status, $headers);
    }

    /** @return mixed an example of the contract's */
    protected static function example(string $group, string $name): mixed
    {
        return self::examples()[$group][$name];
    }

    /** @return array<string, array<string, mixed>> */
    protected static function examples(): array
    {
        $file = getenv('BEATMARKET_CONTRACT') . '/examples.json';

        return json_decode((string) file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
    }

    /** @return array<string, mixed> */
    protected static function beat(int $id = 1): array
    {
        return ['id' => $id] + self::example('operations', 'getBeat')['reference']['data']['beat'];
    }

    /** @return list<string> */
    protected function urls(): array
    {
        return array_map(
            static fn (Request $request): string => str_replace(self::BASE_URL, '', $request->url),
            $this->transport->requests,
        );
    }
}
