<?php

declare(strict_types=1);

namespace BeatMarket\Test\Webhooks;

use BeatMarket\Test\ClientCase;
use BeatMarket\Test\Program;

/** Runs examples/receiver.php as a process. */
final class ReceiverTest extends ClientCase
{
    private const SECRET = 'whsec_dGVzdCBzZWNyZXQgb2YgdGhlIHdlYmhvb2tz';

    public function testAcceptsOnlyRequestsWithAValidSignature(): void
    {
        $body = (string) json_encode(self::example('events', 'beat.purchased'));
        $signature = hash_hmac('sha256', $body, self::SECRET);
        [$url, $output, $stop] = self::start(self::SECRET);
        try {
            self::assertSame(200, self::post($url, $body, ["X-Webhook-Signature: {$signature}"]));
            self::assertSame("beat.purchased evt_01M7WD7TG00123456789ABCDEF\n", fgets($output));
            self::assertSame(401, self::post($url, "{$body} ", ["X-Webhook-Signature: {$signature}"]));
            self::assertSame(401, self::post($url, $body, []));
            self::assertSame(401, self::post($url, $body, ['X-Webhook-Signature: é']));
        } finally {
            $stop();
        }
    }

    public function testAcceptsNothingWithoutASecret(): void
    {
        [$url, , $stop] = self::start('');
        try {
            self::assertSame(500, self::post($url, '{}', ['X-Webhook-Signature: ' . hash_hmac('sha256', '{}', '')]));
        } finally {
            $stop();
        }
    }

    /** @return array{string, resource, \Closure(): void} its URL, its standard output, and a function that stops it */
    private static function start(string $secret): array
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($socket);
        $address = (string) stream_socket_get_name($socket, false);
        fclose($socket);
        $command = [PHP_BINARY, '-S', $address, Program::package() . '/examples/receiver.php'];
        $streams = [['pipe', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']];
        $process = proc_open($command, $streams, $pipes, Program::folder(), ['WEBHOOK_SECRET' => $secret] + getenv());
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
