<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Model\Event;

/** @internal Verifies and makes the signatures of webhook requests, as BeatMarket\Webhooks documents. */
final class Signatures
{
    private const MISMATCH = ' does not match. Verify the raw bytes of the body, as they came and before anything parses them, '
        . 'with the whole secret of this endpoint, whsec_ included.';

    public static function unwrap(
        mixed $body,
        array $headers,
        #[\SensitiveParameter] string|array|false|null $secrets,
        int|float|null $tolerance,
    ): Event {
        $bytes = self::bytes($body);
        if ($tolerance === null) {
            $signatures = [self::header($headers, 'X-Webhook-Signature'), self::header($headers, 'X-Webhook-Signature-Previous')];
            self::verify($bytes, $signatures, $secrets);
        } else {
            $id = self::verifyStandard($bytes, $headers, self::all($secrets), $tolerance);
        }
        $wire = (array) Json::decode($bytes);
        if (!is_string($wire['type'] ?? null) || !array_key_exists('data', $wire)) {
            throw new InvalidArgumentException('The signature is valid, but the body is not an event: it has no type or no data.');
        }
        if (isset($id) && ($wire['id'] ?? null) !== $id) {
            throw new SignatureVerificationException('webhook-id is not the id of the event in the body: refuse this request.');
        }

        return Event::fromArray($wire);
    }

    /** @return array<string, string> */
    public static function sign(string $body, #[\SensitiveParameter] string $secret, ?\DateTimeInterface $at): array
    {
        $id = ((array) Json::decode($body))['id'] ?? null;
        if (!is_string($id) || $id === '') {
            throw new InvalidArgumentException(
                'The body takes an event as JSON, such as {"id": "evt_1", "type": "beat.created", "data": {}}.',
            );
        }
        [$whole] = self::all($secret);
        $time = $at?->getTimestamp() ?? time();

        return [
            'Content-Type' => 'application/json',
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $time,
            'webhook-signature' => self::standard("{$id}.{$time}.{$body}", self::key($whole)),
            'X-Webhook-Signature' => hash_hmac('sha256', $body, $whole),
        ];
    }

    /**
     * @param list<string|null>              $signatures one valid signature is enough
     * @param string|list<string>|false|null $secrets
     */
    public static function verify(mixed $body, array $signatures, #[\SensitiveParameter] string|array|false|null $secrets): void
    {
        $bytes = self::bytes($body);
        $wanted = array_map(static fn (string $secret): string => hash_hmac('sha256', $bytes, $secret), self::all($secrets));
        $given = array_filter($signatures, is_string(...));
        $wellFormed = preg_grep('/^[0-9a-f]{64}$/D', $given) ?: [];
        if (!self::agree($wanted, $wellFormed)) {
            throw new SignatureVerificationException(match (true) {
                $given === [] => 'The header X-Webhook-Signature is missing: this request is not from the service.',
                $wellFormed === [] => 'X-Webhook-Signature must be exactly 64 lower-case hexadecimal digits.',
                default => 'X-Webhook-Signature' . self::MISMATCH,
            });
        }
    }

    /**
     * @param array<array-key, mixed> $headers
     * @param list<string>            $secrets
     * @return string webhook-id. The signature covers id, time and body (https://www.standardwebhooks.com)
     */
    private static function verifyStandard(
        string $bytes,
        array $headers,
        #[\SensitiveParameter] array $secrets,
        int|float $tolerance,
    ): string {
        if (!($tolerance > 0 && is_finite($tolerance))) {
            throw new InvalidArgumentException('The tolerance must be more than 0 seconds; null turns it off.');
        }
        $keys = array_map(self::key(...), $secrets);
        [$id, $time, $given] = array_map(
            static fn (string $name): string => self::header($headers, $name) ?? throw new SignatureVerificationException(
                "The header {$name} is missing: this request is not from the service, or a proxy before you removed it.",
            ),
            ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
        );
        $wanted = array_map(static fn (string $key): string => self::standard("{$id}.{$time}.{$bytes}", $key), $keys);
        $seconds = ctype_digit($time) && strlen($time) < 16 ? time() - (int) $time : null;
        $problem = match (true) {
            !self::agree($wanted, explode(' ', $given)) => 'webhook-signature' . self::MISMATCH,
            $seconds === null => 'webhook-timestamp must be Unix seconds: this request is not from the service.',
            abs($seconds) > $tolerance => 'webhook-timestamp is ' . abs($seconds) . ($seconds > 0 ? ' seconds ago' : ' seconds ahead')
                . ", more than the tolerance of {$tolerance}: a recorded request was sent again, or the clock here is wrong.",
            default => null,
        };

        return $problem === null ? $id : throw new SignatureVerificationException($problem);
    }

    /**
     * @param array<string> $wanted
     * @param array<string> $given all are compared, so that the run time does not reveal which one matched
     */
    private static function agree(array $wanted, array $given): bool
    {
        $isWanted = static fn (string $one): bool => array_filter($wanted, static fn (string $own): bool => hash_equals($own, $one)) !== [];

        return array_filter($given, $isWanted) !== [];
    }

    private static function standard(string $signed, #[\SensitiveParameter] string $key): string
    {
        return 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    }

    /** The key of a secret by Standard Webhooks: the base64-decoded part. */
    private static function key(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret;
        $key = (string) base64_decode($text, true);

        return $text !== '' && base64_encode($key) === $text ? $key : throw new InvalidArgumentException(
            'A webhook secret is not whsec_ and base64: pass it whole, as the service showed it.',
        );
    }

    /**
     * @param string|list<string>|false|null $secrets
     * @return non-empty-list<string>
     */
    private static function all(#[\SensitiveParameter] string|array|false|null $secrets): array
    {
        $all = is_array($secrets) ? array_values($secrets) : [$secrets];
        foreach ($all === [] ? [null] : $all as $secret) {
            // Anyone can sign with an empty secret, such as an unset variable.
            if (!is_string($secret) || $secret === '') {
                throw new InvalidArgumentException('A webhook secret is missing or empty. Is its variable set?');
            }
        }

        return $all;
    }

    private static function bytes(mixed $body): string
    {
        return is_string($body) ? $body : throw new InvalidArgumentException(
            'The body must be the raw bytes, a string as file_get_contents(\'php://input\') gives it: what has been parsed '
            . 'before cannot be verified.',
        );
    }

    /** @param array<array-key, mixed> $headers */
    private static function header(array $headers, string $name): ?string
    {
        $name = strtr(strtolower($name), '-', '_');
        foreach ($headers as $key => $value) {
            $key = strtr(strtolower((string) $key), '-', '_');
            if ($key === $name || $key === "http_{$name}") { // $_SERVER has HTTP_X_WEBHOOK_SIGNATURE.
                $values = array_filter((array) $value, is_string(...));

                return $values === [] ? null : implode(',', $values);
            }
        }

        return null;
    }
}
