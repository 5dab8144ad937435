<?php

declare(strict_types=1);

namespace BeatMarket\Test\Webhooks;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Test\ClientCase;
use BeatMarket\Webhooks;

/** A recorded webhook request is refused when it comes again later. */
final class ReplaysTest extends ClientCase
{
    private const KEY_BYTES = 'a key of 24 random bytes';
    private const ID = 'evt_01M7WD7TG00123456789ABCDEF';

    public function testACurrentRequestIsAccepted(): void
    {
        self::assertSame(self::ID, (new Webhooks())->unwrap(self::body(), self::headers(), self::secret())->id);
        $headers = self::headers(); // One call, so that timestamp and signature are of the same second.
        $signed = $headers['webhook-signature'];
        foreach (["v1,AAAA {$signed}", "v1a,AAAA {$signed}", "{$signed} v2,x"] as $several) {
            self::assertSame(self::ID, self::unwrap(['webhook-signature' => $several] + $headers)->id);
        }
        self::assertSame(self::ID, (new Webhooks())->unwrap(self::body(), self::headers(), [self::secret('another'), self::secret()])->id);
        foreach (['HTTP_WEBHOOK_ID', 'HTTP_WEBHOOK_TIMESTAMP', 'HTTP_WEBHOOK_SIGNATURE'] as $index => $name) {
            $server[$name] = array_values($headers)[$index];
        }
        self::assertSame(self::ID, (new Webhooks())->unwrap(self::body(), $server, self::secret())->id);
    }

    /** @dataProvider ages */
    public function testTheTimeMustBeWithinTheTolerance(int $secondsAgo, int|float|null $tolerance, bool $isTaken): void
    {
        try {
            $event = (new Webhooks())->unwrap(self::body(), self::headers($secondsAgo), self::secret(), ...($tolerance === null ? [] : [$tolerance]));
            self::assertSame([true, self::ID], [$isTaken, $event->id]);
        } catch (SignatureVerificationException $error) {
            self::assertFalse($isTaken);
            self::assertStringContainsString('the tolerance of', $error->getMessage());
        }
    }

    /** @return list<array{int, int|float|null, bool}> */
    public static function ages(): array
    {
        return [
            [290, null, true], [-290, null, true], [310, null, false], [-310, null, false],
            [3600, 4000, true], [40, 20.5, false],
        ];
    }

    /** @dataProvider refused */
    public function testRefusesAForgeryWithTheReason(array|\Closure $headers, string $reason, ?string $body = null): void
    {
        try {
            self::unwrap(is_array($headers) ? $headers : $headers(), $body);
            self::fail('It was taken.');
        } catch (SignatureVerificationException $error) {
            self::assertStringContainsString($reason, $error->getMessage());
            self::assertStringNotContainsString(self::secret(), (string) $error);
        }
    }

    /** @return iterable<string, array{array<string, string|null>|\Closure, string, 2?: string}> */
    public static function refused(): iterable
    {
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            yield "no {$name}" => [[$name => null], "The header {$name} is missing"];
        }
        yield 'another id' => [['webhook-id' => 'evt_2'], 'webhook-signature does not match'];
        yield 'another time' => [['webhook-timestamp' => (string) (time() - 100)], 'webhook-signature does not match'];
        yield 'another body' => [[], 'webhook-signature does not match', self::body() . ' '];
        yield 'no version' => [['webhook-signature' => substr(self::headers()['webhook-signature'], 3)], 'does not match'];
        yield 'the other scheme alone' => [
            ['webhook-signature' => null, 'X-Webhook-Signature' => hash_hmac('sha256', self::body(), self::secret())], 'webhook-signature is missing',
        ];
        yield 'a time that is not a number' => [self::headers(0, self::ID, 'yesterday'), 'must be Unix seconds'];
        // Signed when the test begins: all tests together may take longer than the tolerance.
        yield 'the id of another event' => [static fn (): array => self::headers(0, 'evt_2'), 'not the id of the event'];
    }

    public function testWithoutAToleranceOnlyXWebhookSignatureIsVerified(): void
    {
        $headers = ['webhook-timestamp' => '1', 'webhook-signature' => 'v1,x', 'X-Webhook-Signature' => hash_hmac('sha256', self::body(), self::secret())];
        self::assertSame(self::ID, (new Webhooks())->unwrap(self::body(), $headers, self::secret(), null)->id);
    }

    /** @dataProvider wrongSettings */
    public function testAnInvalidSecretOrToleranceIsNotASignatureError(mixed $secret, int|float $tolerance): void
    {
        $this->expectException(InvalidArgumentException::class);
        (new Webhooks())->unwrap(self::body(), self::headers(), $secret, $tolerance);
    }

    /** @return list<array{mixed, int|float}> */
    public static function wrongSettings(): array
    {
        return [
            [self::secret(), 0], [self::secret(), -1], [self::secret(), NAN], [self::secret(), INF], ['whsec_*', 300], ['whsec_', 300],
            ['', 300], [null, 300], [[], 300],
        ];
    }

    /** @param array<string, string|null> $headers */
    private static function unwrap(array $headers, ?string $body = null): \BeatMarket\Model\Event
    {
        return (new Webhooks())->unwrap($body ?? self::body(), $headers + self::headers(), self::secret());
    }

    /** @return array<string, string> */
    private static function headers(int $secondsAgo = 0, string $id = self::ID, ?string $time = null): array
    {
        $time ??= (string) (time() - $secondsAgo);
        $signature = base64_encode(hash_hmac('sha256', "{$id}.{$time}." . self::body(), self::KEY_BYTES, true));

        return ['webhook-id' => $id, 'webhook-timestamp' => $time, 'webhook-signature' => "v1,{$signature}"];
    }

    private static function secret(string $bytes = self::KEY_BYTES): string
    {
        return 'whsec_' . base64_encode($bytes);
    }

    private static function body(): string
    {
        return (string) json_encode(self::example('events', 'beat.created'));
    }
}
