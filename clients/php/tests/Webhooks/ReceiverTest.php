<?php

declare(strict_types=1);

namespace BeatMarket\Test\Webhooks;

use BeatMarket\Test\ClientCase;
use BeatMarket\Test\Program;

/** Runs examples/receiver.php, and a receiver in Slim, as processes. */
final class ReceiverTest extends ClientCase
{
    private const SECRET = 'whsec_dGVzdCBzZWNyZXQgb2YgdGhlIHdlYmhvb2tz';

    public function testAcceptsAnEventOnceAndOnlyWithAValidSignature(): void
    {
        $body = (string) json_encode(self::example('events', 'beat.purchased'));
        [$url, $output, $stop] = self::start(self::SECRET);
        try {
            self::assertSame(204, self::post($url, $body, self::signed($body)));
            self::assertSame("beat.purchased evt_01M7WD7TG00123456789ABCDEF\n", fgets($output));
            self::assertSame(204, self::post($url, $body, self::signed($body)));
            self::assertSame(401, self::post($url, "{$body} ", self::signed($body)));
            self::assertSame(401, self::post($url, $body, self::signed($body, time() - 3600)));
            self::assertSame(401, self::post($url, $body, []));
            self::assertSame(401, self::post($url, $body, ['webhook-signature: é'] + self::signed($body)));
            $other = str_replace('ABCDEF', 'ABCDEG', $body);
            self::assertSame(204, self::post($url, $other, self::signed($other)));
            self::assertSame("beat.purchased evt_01M7WD7TG00123456789ABCDEG\n", fgets($output));
        } finally {
            $stop();
        }
    }

    public function testAReceiverInSlimReadsBodyAndHeaders(): void
    {
        if (stream_resolve_include_path('Slim/autoload.php') === false) {
            self::markTestSkipped('Slim is not installed (php-slim).');
        }
        $body = (string) json_encode(self::example('events', 'beat.purchased'));
        [$url, $output, $stop] = self::start(self::SECRET, dirname(__DIR__) . '/Double/slim.php');
        try {
            self::assertSame(204, self::post($url, $body, self::signed($body)));
            self::assertSame("beat.purchased evt_01M7WD7TG00123456789ABCDEF\n", fgets($output));
            self::assertSame(401, self::post($url, "{$body} ", self::signed($body)));
            self::assertSame(401, self::post($url, $body, self::signed($body, time() - 3600)));
            self::assertSame(401, self::post($url, $body, []));
        } finally {
            $stop();
        }
    }

    public function testAcceptsNothingWithoutASecret(): void
    {
        [$url, , $stop] = self::start('');
        try {
            self::assertSame(500, self::post($url, '{}', self::signed('{}')));
        } finally {
            $stop();
        }
    }

    /** @return list<string> */
    private static function signed(string $body, ?int $time = null): array
    {
        $time ??= time();
        $id = json_decode(trim($body), true)['id'] ?? 'evt_1';
        $key = (string) base64_decode(substr(self::SECRET, 6), true);
        $signature = base64_encode(hash_hmac('sha256', "{$id}.{$time}." . trim($body), $key, true));

        return ["webhook-signature: v1,{$signature}", "webhook-id: {$id}", "webhook-timestamp: {$time}"];
    }

    /** @return array{string, resource, \Closure(): void} its URL, its standard output, and a function that stops it */
    private static function start(string $secret, ?string $file = null): array
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($socket);
        $address = (string) stream_socket_get_name($socket, false);
        fclose($socket);
        $command = [PHP_BINARY, '-S', $address, $file ?? Program::package() . '/examples/receiver.php'];
        $streams = [['pipe', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']];
        $process = proc_open($command, $streams, $pipes, Program::folder(), ['WEBHOOK_SECRET' => $secret, 'SEEN' => Program::folder() . '/' . bin2hex(random_bytes(8)) . '.db'] + getenv());
        self::assertIsResource($process);
        for ($try = 0; $try < 500 && ($connection = @stream_socket_client("tcp://{$address}")) === false; ++$try) {
            usleep(20_000); // Waits for the process to listen.
        }

        return ["http://{$address}/", $pipes[1], static function () use ($process): void {
            proc_terminate($process);
            proc_close($process);
        }];
    }

    /** @param list<string> $headers */
    private static function post(string $url, string $body, array $headers): int
    {
        $handle = curl_init($url);
        self::assertNotFalse($handle);
        curl_setopt_array($handle, [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => [...$headers, 'Content-Type: application/json'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 10,
        ]);
        curl_exec($handle);

        return curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
    }
}
