<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\RetryAfter;

/** A raw response. Each page, each single result and each APIStatusException has its own. */
final class Response
{
    /** Identifies the call in the service's request log; quote it when you report a problem. Null if absent. */
    public readonly ?string $requestId;

    /** Names the state of what was returned; an update of your own beat takes it as ifMatch. Null if absent. */
    public readonly ?string $etag;

    /** What the request was sent with, also if the client made it; null if it had none. */
    public ?string $idempotencyKey = null;

    /** Null if the response has none, as for keys without limits. */
    public readonly ?RateLimit $rateLimit;

    /** The decoded JSON with objects as arrays, envelope included; null if the body is not JSON. */
    public readonly mixed $body;

    /**
     * @param int                   $status  the HTTP status
     * @param array<string, string> $headers by lower-case name; repeated headers are joined with ", "
     * @param string                $rawBody the raw bytes
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $rawBody,
    ) {
        $this->body = json_decode($rawBody, true);
        $this->requestId = $headers['x-request-id'] ?? null;
        $this->etag = $headers['etag'] ?? null;
        $limit = $this->wholeNumber('x-ratelimit-limit');
        $remaining = $this->wholeNumber('x-ratelimit-remaining');
        $reset = $this->wholeNumber('x-ratelimit-reset');
        $this->rateLimit = $limit === null || $remaining === null || $reset === null
            ? null
            : new RateLimit($limit, $remaining, $reset, RetryAfter::seconds($this, time()));
    }

    /** The value of a header, whatever the case of its name. Null if absent. */
    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    private function wholeNumber(string $name): ?int
    {
        $value = $this->headers[$name] ?? '';

        return ctype_digit($value) && strlen($value) < 19 ? (int) $value : null;
    }
}
