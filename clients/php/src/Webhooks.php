<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Model\Event;

/** Verifies webhook requests. Needs no client and no API key. */
final class Webhooks
{
    /**
     * Verifies the signature of a webhook request and returns its event.
     *
     * @param mixed                          $body    the raw bytes, a string: file_get_contents('php://input')
     * @param array<array-key, mixed>        $headers of getallheaders(), of $_SERVER, or lists of strings as in PSR-7 and
     *                                                Symfony requests
     * @param string|list<string>|false|null $secrets the whole secret, whsec_ included, or several during a rotation
     *
     * @throws SignatureVerificationException if the signature matches no secret: respond with 401
     * @throws InvalidArgumentException       if the secret is missing, or the body is parsed already or not an event
     */
    public function unwrap(
        mixed $body,
        array $headers,
        #[\SensitiveParameter] string|array|false|null $secrets,
    ): Event {
        $bytes = self::bytes($body);
        $this->check($bytes, [
            self::header($headers, 'X-Webhook-Signature'),
            self::header($headers, 'X-Webhook-Signature-Previous'),
        ], $secrets);
        $wire = json_decode($bytes, true);

        return is_array($wire)
            ? Event::fromArray($wire)
            : throw new InvalidArgumentException('The signature is good, but the body is no JSON object.');
    }

    /**
     * Verifies a signature. Throws if it is invalid.
     *
     * @param mixed                          $body      the raw bytes, a string: file_get_contents('php://input')
     * @param string|null                    $signature the header X-Webhook-Signature; null if absent
     * @param string|list<string>|false|null $secrets   the whole secret, whsec_ included, or several during a rotation
     *
     * @throws SignatureVerificationException if the signature matches no secret: respond with 401
     * @throws InvalidArgumentException       if the secret is missing, or the body is parsed already
     */
    public function verify(
        mixed $body,
        ?string $signature,
        #[\SensitiveParameter] string|array|false|null $secrets,
    ): void {
        $this->check(self::bytes($body), [$signature], $secrets);
    }

    /**
     * @param list<string|null>              $signatures one valid signature is enough
     * @param string|list<string>|false|null $secrets
     */
    private function check(
        string $bytes,
        array $signatures,
        #[\SensitiveParameter] string|array|false|null $secrets,
    ): void {
        $secrets = is_array($secrets) ? $secrets : [$secrets];
        foreach ($secrets === [] ? [null] : $secrets as $secret) {
            // Anyone can sign with an empty secret, such as an unset variable.
            if (!is_string($secret) || $secret === '') {
                throw new InvalidArgumentException('A webhook secret is missing or empty. Is its variable set?');
            }
        }
        $given = array_filter($signatures, static fn (?string $signature): bool => $signature !== null);
        $wellFormed = preg_grep('/^[0-9a-f]{64}$/D', $given) ?: [];
        $isGood = false;
        foreach ($secrets as $secret) {
            foreach ($wellFormed as $signature) {
                $isGood = hash_equals(hash_hmac('sha256', $bytes, $secret), $signature) || $isGood;
            }
        }
        if (!$isGood) {
            throw new SignatureVerificationException(match (true) {
                $given === [] => 'The header X-Webhook-Signature is missing: this request is not from the service.',
                $wellFormed === [] => 'X-Webhook-Signature must be exactly 64 lower-case hexadecimal digits.',
                default => 'X-Webhook-Signature does not match. Verify the raw bytes of the body, as they came and before '
                    . 'anything parses them, with the whole secret of this endpoint, whsec_ included.',
            });
        }
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
        foreach ($headers as $key => $value) {
            // $_SERVER has HTTP_X_WEBHOOK_SIGNATURE.
            $key = preg_replace('/^HTTP_/', '', strtr((string) $key, '-', '_')) ?? '';
            if (strcasecmp($key, strtr($name, '-', '_')) === 0) {
                $values = array_filter(is_array($value) ? $value : [$value], 'is_string');

                return $values === [] ? null : implode(',', $values);
            }
        }

        return null;
    }
}
