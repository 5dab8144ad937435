<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Http\Signatures;
use BeatMarket\Model\Event;

/** Verifies webhook requests. Needs no client and no API key. */
final class Webhooks
{
    /** How many seconds the time of a request may differ from the clock, as Standard Webhooks recommends. */
    public const TOLERANCE_SECONDS = 300;

    /**
     * Verifies a webhook request and returns its event. A recorded request that is sent again later is refused by its
     * time; within the tolerance, and for deliveries that the service repeats, deduplicate by the event's id.
     *
     * @param mixed                          $body      the raw bytes, a string: file_get_contents('php://input')
     * @param array<array-key, mixed>        $headers   of getallheaders(), of $_SERVER, or lists of strings as in PSR-7
     *                                                  and Symfony requests
     * @param string|list<string>|false|null $secrets   the whole secret, whsec_ included, or several during a rotation
     * @param int|float|null                 $tolerance seconds that webhook-timestamp may be in the past or the future.
     *                                                  Null verifies X-Webhook-Signature instead, which has no time
     *
     * @throws SignatureVerificationException if the signature matches no secret, or the time is outside the tolerance:
     *                                        respond with 401
     * @throws InvalidArgumentException if a secret or the tolerance is invalid, or the body is already parsed or not an
     *                                  event
     */
    public function unwrap(
        mixed $body,
        array $headers,
        #[\SensitiveParameter] string|array|false|null $secrets,
        int|float|null $tolerance = self::TOLERANCE_SECONDS,
    ): Event {
        return Signatures::unwrap($body, $headers, $secrets, $tolerance);
    }

    /**
     * Verifies a signature. Throws if it is invalid.
     *
     * @param mixed                          $body      the raw bytes, a string: file_get_contents('php://input')
     * @param string|null                    $signature the header X-Webhook-Signature; null if absent
     * @param string|list<string>|false|null $secrets   the whole secret, whsec_ included, or several during a rotation
     *
     * @throws SignatureVerificationException if the signature matches no secret: respond with 401
     * @throws InvalidArgumentException if the secret is missing, or the body is already parsed
     */
    public function verify(
        mixed $body,
        ?string $signature,
        #[\SensitiveParameter] string|array|false|null $secrets,
    ): void {
        Signatures::verify($body, [$signature], $secrets);
    }

    /**
     * The headers that a delivery of this event has, for tests of a receiver.
     *
     * @param string                  $body   the event as JSON, with its id
     * @param string                  $secret the whole secret, whsec_ included
     * @param \DateTimeInterface|null $at     the time of the delivery, now by default
     *
     * @return array<string, string>
     *
     * @throws InvalidArgumentException if the body is not an event, or the secret is invalid
     */
    public function sign(string $body, #[\SensitiveParameter] string $secret, ?\DateTimeInterface $at = null): array
    {
        return Signatures::sign($body, $secret, $at);
    }
}
