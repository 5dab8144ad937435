<?php

declare(strict_types=1);

namespace BeatMarket\Test\Webhooks;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Model\Beat;
use BeatMarket\Test\ClientCase;
use BeatMarket\Webhooks;

final class WebhooksTest extends ClientCase
{
    private const SECRET = 'whsec_dGVzdCBzZWNyZXQgb2YgdGhlIHdlYmhvb2tz';

    /**
     * @dataProvider vectors
     *
     * @param list<string> $secrets
     */
    public function testSharedSignatureVectors(string $body, array $secrets, ?string $header, string $expected): void
    {
        self::assertSame($expected, self::verdict($body, $header, $secrets));
    }

    /** @return iterable<string, array{string, list<string>, string|null, string}> */
    public static function vectors(): iterable
    {
        $file = getenv('BEATMARKET_CONTRACT') . '/vectors/client-signature-vectors.json';
        $vectors = json_decode((string) file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
        self::assertCount(27, $vectors);
        foreach ($vectors as $vector) {
            yield $vector['name'] => [
                (string) base64_decode($vector['body_base64'], true), $vector['secrets'], $vector['header'], $vector['expect'],
            ];
        }
    }

    public function testUnwrapAcceptsTheHeadersThatSignReturns(): void
    {
        $webhooks = new Webhooks();
        $headers = $webhooks->sign(self::body(), self::SECRET);
        foreach ([300, null] as $tolerance) {
            self::assertSame('beat.created', $webhooks->unwrap(self::body(), $headers, self::SECRET, $tolerance)->type);
        }
        $old = $webhooks->sign(self::body(), self::SECRET, new \DateTimeImmutable('@0'));
        self::assertSame('0', $old['webhook-timestamp']);
        $this->expectException(SignatureVerificationException::class);
        $webhooks->unwrap(self::body(), $old, self::SECRET);
    }

    /**
     * @testWith ["{}", "whsec_c2VjcmV0"]
     *           ["x", "whsec_c2VjcmV0"]
     *           ["{\"id\":\"evt_1\"}", ""]
     *           ["{\"id\":\"evt_1\"}", "whsec_!"]
     */
    public function testSignRefusesAnInvalidBodyOrSecret(string $body, string $secret): void
    {
        $this->expectException(InvalidArgumentException::class);
        (new Webhooks())->sign($body, $secret);
    }

    /** @dataProvider headerShapes */
    public function testUnwrapsWithTheHeadersOfEachFramework(\Closure $shape): void
    {
        $body = self::body();
        $event = $this->client()->webhooks->unwrap($body, $shape(hash_hmac('sha256', $body, self::SECRET)), self::SECRET, null);
        self::assertSame(['evt_01M7WD7TG00123456789ABCDEF', 'beat.created'], [$event->id, $event->type]);
        self::assertInstanceOf(Beat::class, $event->data);
    }

    /** @return array<string, array{\Closure(string): array<array-key, mixed>}> */
    public static function headerShapes(): array
    {
        return [
            'getallheaders()' => [static fn (string $signature): array => ['Host' => 'x', 'X-Webhook-Signature' => $signature]],
            'lower case' => [static fn (string $signature): array => ['x-webhook-signature' => $signature]],
            '$_SERVER' => [static fn (string $signature): array => ['argc' => 1, 'HTTP_X_WEBHOOK_SIGNATURE' => $signature]],
            'PSR-7' => [static fn (string $signature): array => ['Host' => ['x'], 'X-Webhook-Signature' => [$signature]]],
            'a list of lines' => [static fn (string $signature): array => ['Host: x', 'X-Webhook-Signature' => $signature]],
            'the former secret' => [static fn (string $signature): array => [
                'X-Webhook-Signature' => str_repeat('0', 64), 'X-Webhook-Signature-Previous' => $signature,
            ]],
            'the former secret alone' => [static fn (string $signature): array => ['X-Webhook-Signature-Previous' => $signature]],
        ];
    }

    public function testRefusesAnInvalidSignature(): void
    {
        $body = self::body();
        $good = hash_hmac('sha256', $body, self::SECRET);
        $all = [
            [$body, [], 'is missing'],
            [$body, ['X-Webhook-Signature' => null], 'is missing'],
            [$body, ['X-Webhook-Signature' => [$good, $good]], '64 lower-case'],
            [$body, ['X-Webhook-Signature' => strtoupper($good)], '64 lower-case'],
            [$body, ['X-Webhook-Signature' => "{$good}\n"], '64 lower-case'],
            [$body, ['X-Webhook-Signature' => str_repeat('0', 64)], 'raw bytes'],
            [" {$body}", ['X-Webhook-Signature' => $good], 'raw bytes'],
            [$body, ['X-Webhook-Signature-Previous' => str_repeat('0', 64)], 'raw bytes'],
        ];
        foreach ($all as [$bytes, $headers, $reason]) {
            try {
                (new Webhooks())->unwrap($bytes, $headers, self::SECRET, null);
                self::fail('It was taken.');
            } catch (SignatureVerificationException $error) {
                self::assertStringContainsString($reason, $error->getMessage());
            }
        }
    }

    /** @dataProvider noSecrets */
    public function testRefusesAMissingSecret(mixed $secrets): void
    {
        self::assertSame('config_error', self::verdict('{}', hash_hmac('sha256', '{}', ''), $secrets));
    }

    /** @return array<string, array{mixed}> */
    public static function noSecrets(): array
    {
        return ['getenv() of an unset variable' => [false], 'null' => [null], 'empty' => [''], 'one is null' => [['good', null]], 'numbers' => [[1]]];
    }

    /** @dataProvider parsedBodies */
    public function testRefusesAParsedBodyWithTheReason(mixed $body): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('raw bytes');
        (new Webhooks())->verify($body, str_repeat('0', 64), self::SECRET);
    }

    /** @return list<array{mixed}> */
    public static function parsedBodies(): array
    {
        return [[['id' => 'evt_1']], [new \stdClass()], [null], [false]];
    }

    /** @dataProvider noEvents */
    public function testRefusesASignedBodyThatIsNotAnEvent(string $body): void
    {
        $this->expectException(InvalidArgumentException::class);
        (new Webhooks())->unwrap($body, ['X-Webhook-Signature' => hash_hmac('sha256', $body, self::SECRET)], self::SECRET, null);
    }

    /** @return list<array{string}> */
    public static function noEvents(): array
    {
        return [[''], ['null'], ['[]'], ['"evt_1"'], ['7'], ['{"id":"evt_1"']];
    }

    private static function body(): string
    {
        return (string) json_encode(self::example('events', 'beat.created'));
    }

    private static function verdict(string $body, ?string $header, mixed $secrets): string
    {
        try {
            (new Webhooks())->verify($body, $header, $secrets);

            return 'valid';
        } catch (SignatureVerificationException) {
            return 'invalid';
        } catch (BeatMarketException) {
            return 'config_error';
        }
    }
}
